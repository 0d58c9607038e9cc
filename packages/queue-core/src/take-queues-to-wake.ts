import { systemClock as clock } from './clock.js';
import { isClient } from './join-transaction.js';
import type { Queryable } from './sql/sql.js';

/**
 * The least time between two inserts that carry a NOTIFY for the same queue; many runs keep a worker busy for longer
 * than few.
 */
const INLINE_MS = { few: 1, many: 2 };
const MANY = 10;

/** A statement that notifies a queue. Those that follow within the gap count on it, and do not. */
interface Turn {
  readonly atMs: number;
  /** Its runs had all been enqueued before, so it has notified nobody. */
  isVoid: boolean;
  /** A statement that counts on it has written a run. */
  isCountedOn: boolean;
}

/** The last one of each queue; transactions count apart, because their NOTIFY is sent at the commit, which may come late. */
interface Turns {
  readonly ofStatements: Map<string, Turn>;
  readonly ofTransactions: Map<string, Turn>;
}

/**
 * By the object that stands for a database's client, so that queues of the same name in two databases are notified
 * apart.
 */
const turnsOf = new WeakMap<object, Turns>();

/** What a statement does about the workers of its queues. */
export interface WakeTurns {
  /** The queues that it notifies, unless it writes no run. */
  readonly queues: readonly string[];
  /**
   * Called when it has answered; returns queues that have to be notified after all, because a statement on which others
   * counted found that its runs existed.
   */
  end(hasWritten: boolean): readonly string[];
}

/**
 * The queues whose workers a statement that writes these runs should notify. Not every statement notifies, because
 * PostgreSQL lets commits that notify through one after the other, so a NOTIFY in each costs more than half of all
 * commits. A notified worker polls often for a while, so it finds the runs that follow; and it polls anyway, so a
 * NOTIFY that is left out delays a run, but never loses one. Through an unknown client each statement notifies.
 */
export function takeQueuesToWake(db: Queryable, runs: readonly { readonly queue: string }[]): WakeTurns {
  const queues = [...new Set(runs.map(({ queue }) => queue))];
  const turns = lastTurns(db);
  if (turns === undefined) return { queues, end: () => [] };
  const gapMs = runs.length < MANY ? INLINE_MS.few : INLINE_MS.many;
  const nowMs = clock.monotonicMs();
  const taken = new Map<string, Turn>();
  const counted = new Map<string, Turn>();
  for (const queue of queues) {
    const last = turns.get(queue);
    // guard: notify-throttle
    if (last !== undefined && !last.isVoid && nowMs - last.atMs < gapMs) {
      counted.set(queue, last);
      continue;
    }
    // guard end: notify-throttle
    const turn = { atMs: nowMs, isVoid: false, isCountedOn: false };
    taken.set(queue, turn);
    turns.set(queue, turn);
  }
  return { queues: [...taken.keys()], end: (hasWritten) => (hasWritten ? follow(counted) : withdraw(taken)) };
}

function follow(counted: ReadonlyMap<string, Turn>): string[] {
  for (const turn of counted.values()) turn.isCountedOn = true;
  // guard: notify-void
  return [...counted].filter(([, { isVoid }]) => isVoid).map(([queue]) => queue);
  // guard end: notify-void
}

function withdraw(taken: ReadonlyMap<string, Turn>): string[] {
  for (const turn of taken.values()) turn.isVoid = true;
  // guard: notify-withdrawn
  return [...taken].filter(([, { isCountedOn }]) => isCountedOn).map(([queue]) => queue);
  // guard end: notify-withdrawn
}

function lastTurns(db: Queryable): Map<string, Turn> | undefined {
  // guard: notify-throttle-client
  const client = clientOf(db);
  // guard end: notify-throttle-client
  if (client === null) return undefined;
  let turns = turnsOf.get(client);
  if (turns === undefined) {
    turns = { ofStatements: new Map(), ofTransactions: new Map() };
    turnsOf.set(client, turns);
  }
  return isClient(db) ? turns.ofStatements : turns.ofTransactions;
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
