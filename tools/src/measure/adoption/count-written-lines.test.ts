import { expect, test } from '@jest/globals';
import { countWrittenLines } from './count-written-lines.js';

test('a new file counts by its lines, a changed one by those that it had not, and empty lines by none', () => {
  expect(countWrittenLines('', 'a\n\nb\n')).toBe(2);
  expect(countWrittenLines('a\nb\n', 'a\n\nc\nb\na\n')).toBe(2);
});
