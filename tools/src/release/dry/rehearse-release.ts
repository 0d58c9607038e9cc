import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { migrations } from '@duework/database/migrate';
import { ensurePnpm } from '../../../bootstrap/ensure-pnpm.mjs';
import { npmCommand } from '../../../bootstrap/npm-command.mjs';
import { root } from '../../../bootstrap/paths.mjs';
import { showProgress } from '../../../bootstrap/show-progress.mjs';
import { packPackages } from '../../kit/pack-packages.js';
import type { Packed } from '../../kit/packed.js';
import { runCommand } from '../../kit/run-command.js';
import { findDatabaseRefusals } from './find-database-refusals.js';
import { isReleased, readDumps, readVersion } from './read-dumps.js';
import { refuseFor } from './refuse-for.js';
import { versionPackages } from './version-packages.js';

/** What has to hold in the copy, as it is versioned. */
const CHECKS: Readonly<Record<string, string>> = {
  surface: 'the public names and types are as reported',
  contracts: 'the contracts are those that were released, or new versions',
};

/**
 * Versions, checks, builds and packs a copy of what is committed.
 *
 * @param dir gets the copy and the tarballs
 * @returns the packages; none when no changeset asks for a new version
 * @throws PlainError with what is in the way
 */
export async function rehearseRelease(
  dir: string,
  { isVersioned }: { readonly isVersioned: boolean },
): Promise<readonly Packed[]> {
  const pnpmDir = await ensurePnpm();
  const copy = join(dir, 'copy');
  await showProgress('Copying what is committed', () => copyCommitted(copy, pnpmDir));
  const version = isVersioned ? readVersion(copy) : await versionPackages(copy);
  const isOut = await isReleased(copy, version);
  refuseFor(findDatabaseRefusals({ version, isVersioned, isReleased: isOut, migrations, dumps: readDumps(copy) }));
  const npm = npmCommand();
  for (const [check, words] of Object.entries(CHECKS))
    await showProgress(words, () =>
      runCommand(npm.command, [...npm.args, 'run', '--silent', 'check', '--', check], { cwd: copy }),
    );
  return isOut ? [] : packPackages(dir, pnpmDir, copy);
}

/** Copies what is committed, with its history, into a folder, and installs it there. */
async function copyCommitted(to: string, pnpmDir: string): Promise<void> {
  await runCommand('git', ['clone', '--quiet', root, to], { cwd: root });
  // pnpm, as it is here already
  const tools = '.duework/tools';
  if (existsSync(join(root, tools)))
    cpSync(join(root, tools), join(to, tools), { recursive: true, verbatimSymlinks: true });
  await runCommand(join(pnpmDir, 'pnpm'), ['install', '--frozen-lockfile', '--prefer-offline'], { cwd: to });
}
