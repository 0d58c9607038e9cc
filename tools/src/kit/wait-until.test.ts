import { expect, test } from '@jest/globals';
import { waitUntil } from './wait-until.js';

test('waiting for a fact ends with the fact itself, even when it is 0', async () => {
  const answers = [undefined, null, false, 0];
  expect(await waitUntil('No answer', () => answers.shift(), { everyMs: 1 })).toBe(0);
});

test('waiting in vain ends with an error that names the fact', async () => {
  await expect(waitUntil('No answer', () => false, { limitMs: 1_000, everyMs: 100 })).rejects.toThrow(
    'No answer within 1 s.',
  );
});
