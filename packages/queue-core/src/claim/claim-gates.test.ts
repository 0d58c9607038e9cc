import { expect, test } from '@jest/globals';
import { ClaimGates, SessionGate } from './claim-gates.js';

test('a gate that is open is not named as one that keeps the worker from claiming, and a shut one is', async () => {
  const session = new SessionGate();
  const gates = new ClaimGates([
    ['event_loop', { open: () => undefined }],
    ['session', session],
  ]);
  const passing = gates.open(new AbortController().signal);
  expect(gates.shutBy).toBe(null);
  await passing;

  session.goAway();
  const waiting = gates.open(new AbortController().signal);
  expect(gates.shutBy).toBe('session');
  session.comeBack(0);
  await waiting;
  expect(gates.shutBy).toBe(null);
});
