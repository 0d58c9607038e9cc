/** `npm run release:dry`: a release as far as it goes without publishing anything. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { migrations } from '@duework/database/migrate';
import { ensurePnpm } from '../../bootstrap/ensure-pnpm.mjs';
import { npmCommand } from '../../bootstrap/npm-command.mjs';
import { root } from '../../bootstrap/paths.mjs';
import { PlainError } from '../../bootstrap/plain-error.mjs';
import { showProgress } from '../../bootstrap/show-progress.mjs';
import { cleanUpAtExit, onEnd } from '../kit/clean-up.js';
import { createProgram } from '../kit/create-program.js';
import { runProgram } from '../kit/run-program.js';
import { packPackages } from '../kit/pack-packages.js';
import { runCommand } from '../kit/run-command.js';
import { copyCommitted } from './copy-committed.js';
import { findDatabaseRefusals } from './find-database-refusals.js';
import { findGitRefusals, hasChangesets } from './find-git-refusals.js';
import { isReleased } from './is-released.js';
import { publishDry } from './publish-dry.js';
import { readDumps } from './read-dumps.js';
import { readVersion } from './read-version.js';
import { tellPublishable } from './tell-publishable.js';
import { versionPackages } from './version-packages.js';

const SUMMARY = `Takes a copy of what is committed, gives it its next version, builds and packs it, and shows what npm would publish of it. Nothing is sent and nothing here changes. Exit code 1, with the reasons: it is not ready.`;

/** What has to hold in the copy, as it is versioned. */
const CHECKS: Readonly<Record<string, string>> = {
  'check:surface': 'the public names and types are as reported',
  'check:contracts': 'the contracts are those that were released, or new versions',
};

const program = createProgram('release:dry', SUMMARY)
  .option('--to <folder>', 'leaves the tarballs there')
  .option('--tag <tag>', 'the tag that is about to be published: it has to be that of the version');

await runProgram(program, async () => {
  cleanUpAtExit();
  const { to, tag } = program.opts<{ to?: string; tag?: string }>();
  const isVersioned = !hasChangesets(root);
  refuse(await findGitRefusals(root, tag));
  const pnpmDir = await ensurePnpm();
  const dir = mkdtempSync(join(tmpdir(), 'duework-release-'));
  const remove = onEnd(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
  try {
    const copy = join(dir, 'copy');
    await showProgress('Copying what is committed', () => copyCommitted(copy, pnpmDir));
    const version = isVersioned ? readVersion(copy) : await versionPackages(copy);
    const isOut = await isReleased(copy, version);
    refuse(findDatabaseRefusals({ version, isVersioned, isReleased: isOut, migrations, dumps: readDumps(copy) }));
    const npm = npmCommand();
    for (const [script, words] of Object.entries(CHECKS))
      await showProgress(words, () => runCommand(npm.command, [...npm.args, 'run', '--silent', script], { cwd: copy }));
    if (isOut) {
      process.stdout.write(`The changesets are empty: nothing is new for users since ${version}.\n`);
      return 0;
    }
    const packed = await packPackages(dir, pnpmDir, copy);
    const packages = [];
    for (const each of packed) packages.push(await publishDry(each));
    if (to !== undefined) for (const { tarball } of packed) cpSync(tarball, resolve(to, basename(tarball)));
    process.stdout.write(`${tellPublishable(packages)}Nothing was published.\n`);
    return 0;
  } finally {
    remove();
  }
});

/** Throws what speaks against a release, all of it. */
function refuse(reasons: readonly string[]): void {
  if (reasons.length > 0) throw new PlainError(reasons.join('\n'));
}
