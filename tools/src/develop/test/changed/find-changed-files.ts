import { execFileSync } from 'node:child_process';

/**
 * The files that differ from where this branch left `main`, committed or not, new ones included; on `main` itself those that
 * are not committed. Paths below the root.
 */
export function findChangedFiles(root: string): string[] {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');
  const base = ['main', 'origin/main']
    .map((branch) => {
      try {
        return git('merge-base', 'HEAD', branch);
      } catch {
        return undefined;
      }
    })
    .find((commit) => commit !== undefined);
  const tracked = lines(git('diff', '--name-only', '--no-renames', base ?? 'HEAD'));
  const fresh = lines(git('ls-files', '--others', '--exclude-standard'));
  return [...new Set([...tracked, ...fresh])].sort();
}
