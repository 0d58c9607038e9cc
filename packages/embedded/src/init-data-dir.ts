import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseError } from '@duework/database/migrate';
import type { RunAs } from './choose-run-as.js';
import type { PostgresBinaries } from './find-binaries.js';
import { runProgram } from './run-program.js';

const passwordFile = (dataDir: string): string => `${dataDir}.password`;

/** The password of an initialised data folder. */
export function readPassword(dataDir: string): string {
  const file = passwordFile(dataDir);
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  throw new DatabaseError('embedded_data_unusable', {
    problem: `The password of the embedded PostgreSQL is gone: ${file} is missing.`,
    fix: `Restore that file, or remove ${dataDir} to begin with an empty database.`,
  });
}

/** Writes a new file that only its owner can read; an old one of that name may have another owner or mode. */
export function writeSecret(file: string, secret: string): void {
  rmSync(file, { force: true });
  writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx' });
}

export interface InitDataDirOptions {
  readonly binaries: PostgresBinaries;
  readonly runAs: RunAs;
  readonly dataDir: string;
  /** `false`: the data need not survive a power cut. */
  readonly isDurable: boolean;
}

/**
 * Makes an empty database cluster: UTF8, locale C, password logins only. It is made beside the data folder and renamed
 * when it is complete, so that an interrupted start leaves nothing that looks complete.
 */
export async function initDataDir({ binaries, runAs, dataDir, isDurable }: InitDataDirOptions): Promise<void> {
  const fresh = `${dataDir}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true, mode: 0o700 });
  if (runAs.owner !== undefined) chownSync(fresh, runAs.owner.uid, runAs.owner.gid);

  const password = randomBytes(18).toString('hex');
  // initdb reads the password from a file of the user it runs as.
  const initFile = `${fresh}.password`;
  writeSecret(initFile, password);
  if (runAs.owner !== undefined) chownSync(initFile, runAs.owner.uid, runAs.owner.gid);
  const { code, output } = await runProgram(runAs, binaries.initdb, [
    `--pgdata=${fresh}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    `--pwfile=${initFile}`,
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
    ...(isDurable ? [] : ['--no-sync']),
  ]);
  rmSync(initFile, { force: true });
  if (code !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    const reason = output.split('\n').findLast((line) => /error|fatal|cannot|denied/i.test(line)) ?? output.trim();
    throw new DatabaseError('embedded_start_failed', {
      problem: `The embedded PostgreSQL could not create its data in ${dataDir}: ${reason}`,
      fix: 'Make room or correct the permissions there, or set DATABASE_URL to a PostgreSQL of your own.',
    });
  }
  writeSecret(passwordFile(dataDir), password);
  renameSync(fresh, dataDir);
}
