import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseError } from '@duework/database/migrate';
import type { RunAs } from './choose-run-as.js';
import type { PostgresBinaries } from './find-binaries.js';
import { runProgram } from './run-program.js';

/** Makes the folder that will hold the data folder; a folder `.duework` is never seen by git. */
export function ensureParentDir(dataDir: string): void {
  const parent = dirname(dataDir);
  try {
    mkdirSync(parent, { recursive: true });
    accessSync(parent, constants.W_OK);
    const ignore = join(parent, '.gitignore');
    if (basename(parent) === '.duework' && !existsSync(ignore)) writeFileSync(ignore, '*\n');
  } catch (error) {
    throw new DatabaseError('embedded_data_unusable', {
      problem: `The folder ${parent} cannot be written to (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`,
      fix: 'Correct its permissions, or set DATABASE_URL to a PostgreSQL of your own.',
      cause: error,
    });
  }
}

/**
 * Checks whether the folder holds data already.
 *
 * @returns `false` when the data has still to be made
 * @throws DatabaseError `embedded_data_unusable` when the folder holds something else, is somebody else's, or was made
 *   by another major version
 */
export async function checkDataDir(binaries: PostgresBinaries, runAs: RunAs, dataDir: string): Promise<boolean> {
  if (!existsSync(dataDir)) return false;
  const unusable = (problem: string, fix: string): DatabaseError =>
    new DatabaseError('embedded_data_unusable', { problem, fix });

  const versionFile = join(dataDir, 'PG_VERSION');
  const uid = runAs.owner?.uid ?? process.getuid?.();
  if (uid !== undefined && statSync(dataDir).uid !== uid) {
    throw unusable(
      `The data in ${dataDir} belongs to another OS user.`,
      `Start as that user, or run: chown -R ${uid} ${dataDir}`,
    );
  }
  if (!existsSync(versionFile)) {
    if (readdirSync(dataDir).length === 0) return false;
    throw unusable(`${dataDir} is not a PostgreSQL data folder.`, 'Move it away to begin with an empty database.');
  }
  const dataMajor = readFileSync(versionFile, 'utf8').trim();
  const { output } = await runProgram(runAs, binaries.postgres, ['--version']);
  const major = /(\d+)(?:\.\d+)*(?:beta|rc|devel|$|\s)/.exec(output.replace(/^.*\)\s*/, ''))?.[1] ?? '';
  if (major !== '' && major !== dataMajor) {
    throw unusable(
      `The data in ${dataDir} was made by PostgreSQL ${dataMajor}, and this is PostgreSQL ${major}.`,
      `Dump it with PostgreSQL ${dataMajor} and restore it, or move the folder away to begin with an empty database.`,
    );
  }
  return true;
}
