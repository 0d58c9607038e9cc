import { spawnSync } from 'node:child_process';
import { below } from '../../../bootstrap/paths.mjs';

/** Enough lines to see what differs. */
const LINES_MAX = 120;

/**
 * A readable difference between a file and what it should be: `diff -u` where that is installed, else the first line
 * that differs.
 */
export function describeDifference(file: string, actual: string, expected: string): string {
  const { stdout, error } = spawnSync(
    'diff',
    ['-u', '--label', below(file), '--label', 'the migrated database', file, '-'],
    { input: expected, encoding: 'utf8' },
  );
  if (error === undefined && stdout !== '') {
    const lines = stdout.trimEnd().split('\n');
    return lines.length > LINES_MAX
      ? `${lines.slice(0, LINES_MAX).join('\n')}\n… ${lines.length - LINES_MAX} more lines`
      : lines.join('\n');
  }
  const [have, want] = [actual.split('\n'), expected.split('\n')];
  const at = want.findIndex((line, index) => line !== have[index]);
  const line = at === -1 ? want.length : at;
  return `${below(file)}:${line + 1}\n- ${have[line] ?? '(end of file)'}\n+ ${want[line] ?? '(end of file)'}`;
}
