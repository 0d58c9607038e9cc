import type { RawQueryable } from './raw-queryable.js';
import { rawStatement } from './raw-statement.js';

/** How two clients of what should be one database differ. */
export interface ClientComparison {
  /** null: they ask the same database. */
  readonly elsewhere: { readonly ours: string; readonly theirs: string } | null;
  /** How many connections the given client used for the statements that were sent at once. */
  readonly connections: number;
}

interface Session {
  readonly server: string;
  readonly database: string;
  readonly pid: number;
}

/** Each holds its connection for long enough that all of them are open at once. */
const SESSION = rawStatement(`
  SELECT (SELECT pg_postmaster_start_time())::text AS server, current_database()::text AS database,
    pg_backend_pid() AS pid, pg_sleep(0.05)::text AS slept`);

/** Asks both clients where they are, and the given one `wanted` times at once. */
export async function compareClients(
  given: RawQueryable,
  own: RawQueryable,
  wanted: number,
): Promise<ClientComparison> {
  const [ours, ...theirs] = await Promise.all(
    [own, ...Array.from({ length: wanted }, () => given)].map((db) => db.$queryRaw<Session[]>(SESSION)),
  );
  const [here, there] = [ours![0]!, theirs[0]![0]!];
  const isSame = here.server === there.server && here.database === there.database;
  return {
    elsewhere: isSame ? null : { ours: here.database, theirs: there.database },
    connections: new Set(theirs.map(([session]) => session!.pid)).size,
  };
}
