import { spawnSync } from 'node:child_process';
import { PlainError } from '../../../bootstrap/plain-error.mjs';

/**
 * Runs promtool.
 *
 * @throws PlainError with its output, when it finds something wrong
 */
export function runPromtool(...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  if (status !== 0) throw new PlainError(`${stdout}${stderr}promtool ${args.join(' ')} failed.`);
}
