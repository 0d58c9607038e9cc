import { expect, test } from '@jest/globals';
import { PLAIN } from './look.js';
import { openProgressLine, type ProgressLine } from './open-progress-line.js';

/** What is written while these steps are told. */
function told(columns: number | null, isVerbose: boolean, tell: (line: ProgressLine) => void): string {
  let written = '';
  const progressLook = columns === null ? PLAIN : { isColoured: false, columns };
  const line = openProgressLine({ progress: (text) => (written += text), progressLook }, isVerbose);
  tell(line);
  line.end();
  return written;
}
const tell = (line: ProgressLine): void => {
  line.step('Installing …');
  line.step('Migrating …');
  line.detail('Applying 0001 (1 of 2) …');
};

test('on a terminal one line moves, fits, and is gone at the end', () => {
  expect(told(80, false, tell).split('\r\x1b[2K')).toEqual([
    '',
    'Installing …',
    'Migrating …',
    'Applying 0001 (1 of 2) …',
    '',
  ]);
  expect(told(10, false, ({ step }) => step('Installing …'))).toBe('\r\x1b[2KInstallin\r\x1b[2K');
});

test('elsewhere each step is a line, and its parts are lines only where all is asked for', () => {
  expect(told(null, false, tell)).toBe('Installing …\nMigrating …\n');
  expect(told(null, true, tell)).toBe('Installing …\nMigrating …\nApplying 0001 (1 of 2) …\n');
  expect(told(80, true, tell)).toBe('Installing …\nMigrating …\nApplying 0001 (1 of 2) …\n');
});
