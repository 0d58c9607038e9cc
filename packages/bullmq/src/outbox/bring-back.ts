/**
 * Brings what waits in the dedicated queue back into the table. A job is first taken out of its queue, in Redis and in one
 * script that remembers that it is on its way; then written into the table together with a note that it has arrived; then the
 * memory of it goes. Whoever is killed in between leaves jobs on their way: the next one finds them, and the note says which
 * have arrived. So each is there once, whenever that happens.
 */
import { randomUUID } from 'node:crypto';
import type { JobContract } from '@duework/contracts';
import type { Transactable } from '@duework/queue-core';
import { checkPayloadShape } from '@duework/queue-core/internals';
import { forwardJob, freeForwardedKeys, writeOnce, type Noted } from '@duework/shards';
import { inTransaction } from '@duework/sql';
import type { BullmqRun } from '../jobs/decode-job.js';
import { FIELD } from '../jobs/fields.js';
import { readMovedId, toJobId, type PlacedId } from '../jobs/job-id.js';
import { Queues, type BullmqConnection } from '../redis/queues.js';
import { readRuns } from '../redis/read-runs.js';
import { listQueues, readPlace } from './plan-bring-back.js';
import { toDead, toNewRun } from './to-new-run.js';
import { noteArrival, readTaken, takeWaiting } from './take-waiting.js';

export interface BringBackOptions extends BullmqConnection {
  readonly db: Transactable;
  /** The contract whose type comes back. */
  readonly contract: JobContract;
  /** Other queues in which it waits, or all that BullMQ has: from there it goes to the contract's own. */
  readonly queues?: readonly string[] | 'all';
  /** What has failed for good comes, dead, with its errors and its moment, and not what waits. */
  readonly failed?: boolean;
  /** Ends it between two transactions. */
  readonly signal?: AbortSignal;
  /** Called with so many as have come until now, after each transaction that has brought some. */
  readonly onPortion?: (brought: number) => void;
}

export interface BroughtBack {
  /** So many are in the table now, some of them perhaps taken by a call that did not come to its end. */
  readonly brought: number;
  /**
   * Jobs that stay in Redis: the table cannot store their payloads, no contract can read them, they have begun effects,
   * which Redis alone knows, or a job of BullMQ waits for them as its children.
   */
  readonly left: number;
}

/** So many are looked at at once, and written in one transaction. */
const BATCH = 500;

/** A run that was taken, and the token under which it was: who took it, and the number that it gave it. */
interface Taken {
  readonly run: BullmqRun;
  readonly isDead: boolean;
  readonly by: string;
  readonly number: string;
}

/**
 * Moves the waiting jobs of a type into the table: each once, with its remaining attempts, time and key. A job of
 * another program gets the key and the flow control of its contract, or else its own id as key, if that program chose
 * the id. Running jobs stay, and so do jobs of a BullMQ scheduler that is there. Producers and workers of both may
 * continue; jobs added at that time may be missed: call it again until `brought` is 0. Throws errors of the database
 * and Redis: call it again then.
 */
export async function bringBack({
  db,
  contract,
  queues: others = [],
  failed = false,
  signal,
  onPortion = () => {},
  ...connection
}: BringBackOptions): Promise<BroughtBack> {
  const queues = new Queues(connection);
  const take = taker(queues, contract.type);
  let brought = await arriveAll(db, queues, contract, await findOnTheirWay(queues));
  let left = 0;
  const more = others === 'all' ? await listQueues(queues) : others;
  for (const queue of new Set([contract.queue, ...contract.queues, ...(await queues.names()), ...more]))
    for (const place of failed ? (['failed'] as const) : PLACES)
      for (let from = 0; ;) {
        const ids = await readPlace(queues, queue, place, from, BATCH);
        const taken = await take(ids);
        brought += await arriveAll(db, queues, contract, taken.all);
        if (taken.all.length > 0) onPortion(brought);
        left += taken.left;
        // those that were taken stand there no more
        from += ids.length - taken.all.length;
        if (signal?.aborted === true) return { brought, left };
        if (ids.length < BATCH) break;
      }
  return { brought, left };
}

/** Where a job of BullMQ's waits. */
const PLACES = ['delayed', 'prioritized', 'wait', 'paused'] as const;

/** Takes those of a type out of their queues, under a token of its own; `left`: so many that cannot move. */
function taker(
  queues: Queues,
  type: string,
): (ids: readonly PlacedId[]) => Promise<{ readonly all: readonly Taken[]; readonly left: number }> {
  const by = randomUUID();
  let number = 0;
  return async (ids) => {
    let left = 0;
    const runs = (await readRuns(queues, ids)).flatMap((run) => {
      if (run?.type !== type || readMovedId(toJobId(run)) === null || run.status === 'cancelled') return [];
      const stays = !isStorable(run) || run.raw[FIELD.acted] !== undefined || run.raw.parentKey !== undefined;
      if (stays) left++;
      return stays ? [] : [{ run, isDead: run.status === 'dead', by, number: String(++number) }];
    });
    // sent together: a Redis that writes to disk before it answers, does so once for many
    const taken = await Promise.all(runs.map((one) => takeWaiting(queues, one.run, `${by}/${one.number}`)));
    const all = runs.filter((_, at) => taken[at]);
    return { all, left };
  };
}

/** What a call has taken that did not come to its end, or has not yet. */
async function findOnTheirWay(queues: Queues): Promise<Taken[]> {
  const entries = Object.entries(await readTaken(queues));
  const runs = await readRuns(
    queues,
    entries.map(([member]) => readMovedId(member)!),
  );
  return entries.flatMap(([, token], at) => {
    const run = runs[at]!;
    const [by, number] = token.split('/') as [string, string];
    return run === null ? [] : [{ run, isDead: run.raw[FIELD.movedDead] !== undefined, by, number }];
  });
}

/** Writes them, those of one call in a transaction, each only where no note says that it is there. */
async function arriveAll(
  db: Transactable,
  queues: Queues,
  contract: JobContract,
  taken: readonly Taken[],
): Promise<number> {
  for (const by of new Set(taken.map((one) => one.by)))
    await arrive(
      db,
      queues,
      contract,
      by,
      taken.filter((one) => one.by === by),
    );
  return taken.length;
}

async function arrive(
  db: Transactable,
  queues: Queues,
  contract: JobContract,
  by: string,
  taken: readonly Taken[],
): Promise<void> {
  const noted = await Promise.all(
    taken.map(async ({ run, isDead, number }): Promise<Noted> => {
      const anew = await toNewRun(queues, contract, run);
      return isDead ? { id: number, ...toDead(anew, run) } : { id: number, run: anew };
    }),
  );
  const arrived = await inTransaction(db, (tx) =>
    writeOnce(tx, `redis/${by}`, noted, async (anew) => {
      const keys = anew.flatMap(({ run: { type, key } }) => (key === null ? [] : [{ type, key }]));
      // the forwards that they came by hold them
      await freeForwardedKeys(tx, forwardJob.type, keys);
    }),
  );
  await Promise.all(arrived.map(({ id }, at) => noteArrival(queues, taken[at]!.run, id)));
}

const LARGEST_BYTES = 16 * 1024 * 1024;

/** JSON may have a NUL, half of a character, a number without an end or no end of levels; PostgreSQL stores none of them. */
function isStorable({ type, payloadJson, unreadable }: BullmqRun): boolean {
  if (unreadable !== null) return false;
  const payload: unknown = JSON.parse(payloadJson);
  try {
    checkPayloadShape(type, payload, LARGEST_BYTES);
  } catch {
    return false;
  }
  // written anew, so that nothing else is escaped
  return !/\\u(0000|d[89a-f])/.test(JSON.stringify(payload).replaceAll('\\\\', ''));
}
