import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseError } from '@duework/database/migrate';
import { checkPort } from './check-port.js';
import type { RunAs } from './choose-run-as.js';
import type { PostgresBinaries } from './find-binaries.js';
import { runProgram } from './run-program.js';

export interface LaunchServerOptions {
  readonly binaries: PostgresBinaries;
  readonly runAs: RunAs;
  readonly dataDir: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * How often the start is tried again: backends of a killed server take a moment to end, and until then no new server
 * can start; and a port that was free a moment ago may be taken.
 */
const triesMax = 10;
const pauseMs = 500;

/** pg_ctl passes the options to a shell. */
const flag = ([name, value]: [string, string]): string => `-c ${name}='${value.replaceAll("'", `'\\''`)}'`;

/** The line of the log that has the reason, without its time and level. */
function findReason(text: string): string {
  const lines = text.trim().split('\n');
  const line = lines.findLast((entry) => /FATAL|PANIC|could not|error while loading/.test(entry)) ?? lines.at(-1) ?? '';
  return line.replace(/^.*?(FATAL|PANIC|LOG):\s*/, '');
}

/**
 * Starts a server on a data folder and waits until it takes connections.
 *
 * @returns its port
 * @throws DatabaseError `embedded_port_taken`, `embedded_start_failed` with the reason from its log
 */
export async function launchServer({
  binaries,
  runAs,
  dataDir,
  port: wanted,
  settings,
}: LaunchServerOptions): Promise<number> {
  const log = join(dataDir, 'server.log');
  const readLog = (): string => (existsSync(log) ? readFileSync(log, 'utf8') : '');
  for (let tries = 1; ; tries += 1) {
    const port = await checkPort(wanted);
    const flags = Object.entries({
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: '',
      timezone: 'UTC',
      log_timezone: 'UTC',
      ...settings,
    }).map(flag);
    const logLength = readLog().length;
    const { code, output } = await runProgram(runAs, binaries.pgCtl, [
      'start',
      '-D',
      dataDir,
      '-l',
      log,
      '-w',
      '-t',
      '60',
      '-s',
      '-o',
      flags.join(' '),
    ]);
    if (code === 0) return port;

    const said = readLog().slice(logLength) || output;
    const isPassing =
      said.includes('pre-existing shared memory block') || (wanted === 0 && said.includes('could not bind'));
    if (isPassing && tries < triesMax) {
      await wait(pauseMs);
      continue;
    }
    throw new DatabaseError('embedded_start_failed', {
      problem: `The embedded PostgreSQL did not start: ${findReason(said)}`,
      fix: `Its log is ${log}; or set DATABASE_URL to a PostgreSQL of your own.`,
    });
  }
}
