import { isClient, type RawClient } from '@duework/sql';
import { systemClock as clock } from '../clock.js';
import type { NewRun } from '../ports/producer.js';

/**
 * Each queue has a bucket of wake-ups, which gets another every millisecond. As long as it has some, every statement
 * wakes as many workers as it writes runs. The one that empties it wakes everybody, who then poll often for a while:
 * the statements that follow do not notify.
 */
const MOST_WAKE_UPS = 10;
/** Many runs keep workers busy for longer than few: they wake everybody, and count twice. */
const MANY = 10;

/** A statement that notifies a queue. Those that find the bucket empty count on it, and do not. */
interface Turn {
  /** Its runs had all been enqueued before, so it has notified nobody. */
  isVoid: boolean;
  /** A statement that counts on it has written a run. */
  isCountedOn: boolean;
}

interface Bucket {
  wakeUps: number;
  atMs: number;
  last: Turn | null;
}

/** By queue; transactions count apart, because their NOTIFY is sent at the commit, which may come late. */
interface Buckets {
  readonly ofStatements: Map<string, Bucket>;
  readonly ofTransactions: Map<string, Bucket>;
}

/** How many runs each open transaction has told its queues of. */
const toldIn = new WeakMap<object, Map<string, number>>();

/**
 * By the object that stands for a database's client, so that queues of the same name in two databases are notified
 * apart.
 */
const bucketsOf = new WeakMap<object, Buckets>();

/** What a statement does about the workers of its queues. */
interface WakeTurns {
  /** The wake-ups that it sends, one for a queue, unless it writes no run. */
  readonly hints: readonly string[];
  /**
   * Called when it has answered; returns queues that have to be notified after all, because a statement on which others
   * counted found that its runs existed.
   */
  end(hasWritten: boolean): readonly string[];
}

/** What is known here of a run that is written. */
type Run = Pick<NewRun, 'queue'> & Partial<Pick<NewRun, 'runAt' | 'delayMs'>>;

/**
 * The wake-ups that a statement which writes these runs should send. Not every statement notifies, because PostgreSQL
 * lets commits that notify through one after the other, so a NOTIFY in each costs more than half of all commits. Where
 * one is left out, everybody was woken a moment ago, polls often for a while, and so finds the runs that follow; and
 * polls anyway, so a NOTIFY that is left out delays a run, but never loses one. Through an unknown client each statement
 * wakes everybody.
 */
export function takeQueuesToWake(db: RawClient, runs: readonly Run[]): WakeTurns {
  const queues = [...new Set(runs.map(({ queue }) => queue))];
  const buckets = bucketsFor(db);
  if (buckets === undefined) return { hints: queues, end: () => [] };
  const taken = new Map<string, Turn>();
  const counted = new Map<string, Turn>();
  const hints: string[] = [];
  for (const queue of queues) {
    const bucket = refill(buckets, queue);
    if (bucket.wakeUps < 1 && bucket.last?.isVoid === false) {
      counted.set(queue, bucket.last);
      continue;
    }
    bucket.wakeUps = Math.max(-1, bucket.wakeUps - (runs.length < MANY ? 1 : 2));
    bucket.last = { isVoid: false, isCountedOn: false };
    taken.set(queue, bucket.last);
    const ofQueue = runs.filter((run) => run.queue === queue);
    const told = countTold(db, queue, ofQueue.length);
    const isForAll = bucket.wakeUps < 1 || runs.length >= MANY || told >= MANY;
    hints.push(isForAll ? queue : formatHint(queue, told, ofQueue.some(isLater)));
  }
  return { hints, end: (hasWritten) => (hasWritten ? follow(counted) : withdraw(taken)) };
}

const isLater = ({ runAt = null, delayMs = 0 }: Run): boolean => runAt !== null || delayMs > 0;

function refill(buckets: Map<string, Bucket>, queue: string): Bucket {
  const nowMs = clock.monotonicMs();
  let bucket = buckets.get(queue);
  if (bucket === undefined) {
    bucket = { wakeUps: MOST_WAKE_UPS, atMs: nowMs, last: null };
    buckets.set(queue, bucket);
  }
  bucket.wakeUps = Math.min(MOST_WAKE_UPS, bucket.wakeUps + nowMs - bucket.atMs);
  bucket.atMs = nowMs;
  return bucket;
}

/**
 * How many runs the statement's wake-up tells of; in a transaction with those that it wrote before, because its wake-ups
 * are sent together and bear the same number, so that those who are chosen by one are chosen by the next one, too.
 */
function countTold(db: RawClient, queue: string, runs: number): number {
  // nobody can tell where the transactions of a session end
  if (isClient(db) || db.isTransaction === null) return runs;
  let told = toldIn.get(db);
  if (told === undefined) toldIn.set(db, (told = new Map()));
  told.set(queue, (told.get(queue) ?? 0) + runs);
  return told.get(queue)!;
}

function follow(counted: ReadonlyMap<string, Turn>): string[] {
  for (const turn of counted.values()) turn.isCountedOn = true;
  return [...counted].filter(([, { isVoid }]) => isVoid).map(([queue]) => queue);
}

function withdraw(taken: ReadonlyMap<string, Turn>): string[] {
  for (const turn of taken.values()) turn.isVoid = true;
  return [...taken].filter(([, { isCountedOn }]) => isCountedOn).map(([queue]) => queue);
}

function bucketsFor(db: RawClient): Map<string, Bucket> | undefined {
  const client = clientOf(db);
  if (client === null) return undefined;
  let buckets = bucketsOf.get(client);
  if (buckets === undefined) {
    buckets = { ofStatements: new Map(), ofTransactions: new Map() };
    bucketsOf.set(client, buckets);
  }
  return isClient(db) ? buckets.ofStatements : buckets.ofTransactions;
}

/**
 * One object for a client, its extensions and its transactions: Prisma's share an engine (`_engine`, looked at in
 * 7.10), and a transaction of `connectPg` names its client. null: the client, and so its database, is unknown.
 */
function clientOf(db: RawClient): object | null {
  const { _engine, $client } = db as { readonly _engine?: unknown; readonly $client?: unknown };
  if (isObject($client)) return $client;
  if (isObject(_engine)) return _engine;
  return isClient(db) ? db : null;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/**
 * The payload of a wake-up. A queue alone wakes everybody, who then poll often for a while. `default 2 now 4711` tells of
 * two runs, and wakes as many workers, once: those whom the number chooses. Nothing was left out behind it, so they need
 * not look again. `later` instead of `now`: a run is not due yet. A fifth word counts how many of those who were chosen
 * had no free slot, and have passed the wake-up on.
 */
export interface WakeHint {
  /** null: any queue. */
  readonly queue: string | null;
  /** null: everybody is meant. */
  readonly share: HintShare | null;
}

export interface HintShare {
  readonly runs: number;
  readonly isLater: boolean;
  readonly number: number;
  readonly passes: number;
}

/** Everything but the number, which the database adds. */
export function formatHint(queue: string, runs: number, isLater: boolean): string {
  return `${queue} ${runs} ${isLater ? 'later' : 'now'}`;
}

/** A payload that cannot be understood means everybody. */
export function parseHint(payload: string): WakeHint {
  const [queue, runs, when, number, passes = '0'] = payload.split(' ') as [string, ...(string | undefined)[]];
  if (queue === '') return { queue: null, share: null };
  const share = { runs: Number(runs), isLater: when === 'later', number: Number(number), passes: Number(passes) };
  const isShare = [share.runs, share.number, share.passes].every((value) => Number.isSafeInteger(value) && value >= 0);
  return { queue, share: isShare && share.runs > 0 ? share : null };
}
