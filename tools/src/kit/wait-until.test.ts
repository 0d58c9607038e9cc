import { expect, test } from '@jest/globals';
import { waitUntil } from './wait-until.js';

test('waiting ends with the fact itself, and a zero is one', async () => {
  const answers = [undefined, null, false, 0];
  expect(await waitUntil('No answer', () => answers.shift(), { everyMs: 1 })).toBe(0);
});

test('waiting for a fact that does not come ends with what was waited for', async () => {
  await expect(waitUntil('No answer', () => false, { limitMs: 1_000, everyMs: 100 })).rejects.toThrow(
    'No answer within 1 s.',
  );
});
