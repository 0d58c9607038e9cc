import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { FigureName } from '../figures.js';
import { forgetStatements, readStatements } from './read-statements.js';
import { readWal, readWalPosition } from './read-wal.js';
import type { CountingProxy } from './start-counting-proxy.js';

/** Calls before the measured ones: a named statement is planned anew five times, and then once and for all. */
export const WARM_UP_CALLS = 8;
/** Longer than the gap between two enqueues that carry a NOTIFY, so that each of them does. */
const APART_MS = 4;

interface Measuring {
  readonly admin: pg.Client;
  readonly proxy: CountingProxy;
  readonly database: string;
  /** The measured calls. */
  readonly calls: number;
  readonly call: () => Promise<unknown>;
}

/** The figures of one call; `planningBuffers` is in `buffers` where the server was told to track planning. */
export type Counted = Readonly<Record<Exclude<FigureName, 'planningBuffers'>, number>>;

/** Calls as often as told, on a server where nothing else happens, and counts what one call cost. */
export async function measureCalls({ admin, proxy, database, calls, call }: Measuring): Promise<Counted> {
  const repeat = async (times: number): Promise<void> => {
    for (let index = 0; index < times; index++) {
      await pause(APART_MS);
      await call();
    }
  };
  await repeat(WARM_UP_CALLS);
  await forgetStatements(admin, database);
  const from = await readWalPosition(admin);
  const before = proxy.read();
  await repeat(calls);
  const after = proxy.read();
  const wal = await readWal(admin, from, await readWalPosition(admin));
  const statements = await readStatements(admin, database);
  const perCall = (total: number): number => Math.round((total / calls) * 100) / 100;
  return {
    roundTrips: perCall(after.roundTrips - before.roundTrips),
    bytesSent: perCall(after.bytes - before.bytes),
    statements: perCall(statements.sent),
    statementsInside: perCall(statements.inside),
    buffers: perCall(statements.buffers),
    walRecords: perCall(wal.records),
    walBytes: perCall(wal.bytes),
    rowVersions: perCall(wal.rowVersions),
    indexEntries: perCall(wal.indexEntries),
  };
}
