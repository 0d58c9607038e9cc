import { systemClock as clock } from './clock.js';
import { isClient } from './join-transaction.js';
import type { Queryable } from './sql/sql.js';

/** How often a statement that writes runs carries the NOTIFY along, for each queue; one that writes many keeps a worker busy for longer. */
const INLINE_MS = { few: 1, many: 2 };
const MANY = 10;

/** When a queue was last told; apart for transactions, because what they tell is heard when they commit, which may take long. */
interface ToldMs {
  readonly byStatements: Map<string, number>;
  readonly byTransactions: Map<string, number>;
}

/** By what identifies the client of a database, so that two databases with a queue of one name tell their workers each by itself. */
const toldMsOf = new WeakMap<object, ToldMs>();

/**
 * The queues whose workers a statement that writes these runs is to tell. Not each of them, because PostgreSQL lets commits
 * that notify through one after the other, so a NOTIFY in each costs more than half of all commits. A worker that was told
 * looks again and again for a while, so it finds what follows; and it polls, so that one that is left out costs delay, never
 * a run. Through a client that nothing is known of, each statement tells.
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
 * One object for a client, its extensions and its transactions: Prisma's share an engine (`_engine`, looked at in 7.10), and a
 * transaction of `connectPg` names its client. null: nothing tells which database it is.
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
