import { systemClock as clock } from './clock.js';
import { isClient } from './join-transaction.js';
import type { Queryable } from './sql/sql.js';

/**
 * The least time between two inserts that carry a NOTIFY for the same queue; many runs keep a worker busy for longer
 * than few.
 */
const INLINE_MS = { few: 1, many: 2 };
const MANY = 10;

/**
 * When a queue was last notified; transactions count apart, because their NOTIFY is sent at the commit, which may come
 * late.
 */
interface ToldMs {
  readonly byStatements: Map<string, number>;
  readonly byTransactions: Map<string, number>;
}

/**
 * By the object that stands for a database's client, so that queues of the same name in two databases are notified
 * apart.
 */
const toldMsOf = new WeakMap<object, ToldMs>();

/**
 * The queues whose workers a statement that writes these runs should notify. Not every statement notifies, because
 * PostgreSQL lets commits that notify through one after the other, so a NOTIFY in each costs more than half of all
 * commits. A notified worker polls often for a while, so it finds the runs that follow; and it polls anyway, so a
 * NOTIFY that is left out delays a run, but never loses one. Through an unknown client each statement notifies.
 */
export function takeQueuesToWake(
  db: Queryable,
  runs: readonly { readonly queue: string }[],
  isInTransaction: boolean,
): string[] {
  const queues = [...new Set(runs.map(({ queue }) => queue))];
  const told = isInTransaction ? toldMs(db)?.byTransactions : toldMs(db)?.byStatements;
  if (told === undefined) return queues;
  const gapMs = runs.length < MANY ? INLINE_MS.few : INLINE_MS.many;
  const nowMs = clock.monotonicMs();
  // guard: notify-throttle
  const taken = queues.filter((queue) => nowMs - (told.get(queue) ?? -Infinity) >= gapMs);
  // guard end: notify-throttle
  for (const queue of taken) told.set(queue, nowMs);
  return taken;
}

function toldMs(db: Queryable): ToldMs | undefined {
  // guard: notify-throttle-client
  const client = clientOf(db);
  // guard end: notify-throttle-client
  if (client === null) return undefined;
  let told = toldMsOf.get(client);
  if (told === undefined) {
    told = { byStatements: new Map(), byTransactions: new Map() };
    toldMsOf.set(client, told);
  }
  return told;
}

/**
 * One object for a client, its extensions and its transactions: Prisma's share an engine (`_engine`, looked at in
 * 7.10), and a transaction of `connectPg` names its client. null: the client, and so its database, is unknown.
 */
function clientOf(db: Queryable): object | null {
  const { _engine, $client } = db as { readonly _engine?: unknown; readonly $client?: unknown };
  if (isObject($client)) return $client;
  if (isObject(_engine)) return _engine;
  return isClient(db) ? db : null;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
