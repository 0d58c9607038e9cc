import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../kit/run-command.js';
import { isReleased, readVersion } from './read-dumps.js';

/** Whether changesets wait for `npm run release -- version`. */
export const hasChangesets = (dir: string): boolean =>
  readdirSync(join(dir, '.changeset')).some((name) => name.endsWith('.md') && name !== 'README.md');

/**
 * Why nothing is released from a repository as it stands in git, in sentences: what is released is what was committed, it
 * has something new, and its changelog says what.
 *
 * @param tag of a release that is about to be published: it has to name the version
 */
export async function findGitRefusals(dir: string, tag?: string): Promise<string[]> {
  const dirty = (await runCommand('git', ['status', '--porcelain'], { cwd: dir })).trimEnd();
  const version = readVersion(dir);
  const reasons = [dirty !== '' && `What is released is what was committed, and this is not:\n${dirty}`];
  if (hasChangesets(dir))
    reasons.push(tag !== undefined && `${tag} has changesets that are no version yet: npm run release -- version`);
  else {
    const isNew = tellsOf(dir, version) && !(await isReleased(dir, version));
    reasons.push(!isNew && `Nothing says what is new since ${version}: write a changeset with npx changeset.`);
    reasons.push(
      tag !== undefined && tag !== `v${version}` && `The tag ${tag} is not that of the version, ${version}.`,
    );
  }
  return reasons.filter((reason) => reason !== false);
}

/** Whether the changelog has a chapter about a version. */
function tellsOf(dir: string, version: string): boolean {
  const file = join(dir, 'packages/duework/CHANGELOG.md');
  return existsSync(file) && readFileSync(file, 'utf8').includes(`\n## ${version}\n`);
}
