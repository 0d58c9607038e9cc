import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../kit/run-command.js';
import { readVersion } from './read-version.js';

/** Whether changesets wait for `npm run release:version`. */
export const hasChangesets = (dir: string): boolean =>
  readdirSync(join(dir, '.changeset')).some((name) => name.endsWith('.md') && name !== 'README.md');

/**
 * Why nothing is released from a repository as it stands in git, in sentences: what is released is what was committed, it
 * has something new, and its changelog says what.
 */
export async function findGitRefusals(dir: string): Promise<string[]> {
  const git = (...args: readonly string[]): Promise<string> => runCommand('git', args, { cwd: dir });
  const dirty = (await git('status', '--porcelain')).trimEnd();
  const refusals = dirty === '' ? [] : [`What is released is what was committed, and this is not:\n${dirty}`];
  if (hasChangesets(dir)) return refusals;
  const version = readVersion(dir);
  const tag = `v${version}`;
  const isElsewhere =
    (await git('tag', '--list', tag)).trim() !== '' &&
    !(await git('tag', '--points-at', 'HEAD')).split('\n').includes(tag);
  const changelog = join(dir, 'packages/duework/CHANGELOG.md');
  const isTold = existsSync(changelog) && readFileSync(changelog, 'utf8').includes(`\n## ${version}\n`);
  if (isTold && !isElsewhere) return refusals;
  return [...refusals, `Nothing says what is new since ${version}: write a changeset with npx changeset.`];
}
