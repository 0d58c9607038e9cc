import { expect, test } from '@jest/globals';
import { ClaimBrakes, SessionBrake } from './claim-brakes.js';

test('a brake that is off is not named as one that keeps the worker from claiming, and one that is on is', async () => {
  const session = new SessionBrake();
  const brakes = new ClaimBrakes([
    ['event_loop', { whenOff: () => undefined }],
    ['session', session],
  ]);
  const passing = brakes.whenOff(new AbortController().signal);
  expect(brakes.shutBy).toBe(null);
  await passing;

  session.goAway();
  const waiting = brakes.whenOff(new AbortController().signal);
  expect(brakes.shutBy).toBe('session');
  session.comeBack(0);
  await waiting;
  expect(brakes.shutBy).toBe(null);
});
