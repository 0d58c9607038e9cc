import { runCommand } from '../../kit/run-command.js';

/** Whether another commit than the present one of a repository has the tag of a version. */
export async function isReleased(dir: string, version: string): Promise<boolean> {
  const tag = `v${version}`;
  const tags = async (...which: readonly string[]): Promise<string[]> =>
    (await runCommand('git', ['tag', ...which], { cwd: dir })).split('\n');
  return (await tags('--list', tag)).includes(tag) && !(await tags('--points-at', 'HEAD')).includes(tag);
}
