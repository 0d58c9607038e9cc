import { Queue } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import type { NewRun } from '@duework/queue-core/ports';
import { sendThroughHook } from '@duework/queue-core/internals';
import type { SentJob } from '@duework/queue-core';
import type { CarriedForward, ForwardTarget } from '@duework/shards';
import { DueworkError } from '@duework/sql/errors';
import { encodeJob, type EncodedJob } from '../jobs/encode-job.js';
import { toJobId } from '../jobs/job-id.js';
import { askQuickly, openQuickly } from './quick-redis.js';

export interface BullmqTargetOptions {
  /** What the names of BullMQ's keys begin with; default: `duework`, on a cluster `{duework}`. */
  readonly prefix?: string;
}

/** A target of forwards; `close` ends its connection. */
export interface BullmqTarget extends ForwardTarget {
  close(): Promise<void>;
}

/**
 * The dedicated queue as a target of forwards. A forward becomes the job of BullMQ whose id is made of the database's name
 * and its own, so that BullMQ itself ignores it when it comes again, as long as it keeps the job. It has a connection of its
 * own beside `redis`, on which nothing waits for a Redis that is away.
 */
export function bullmqTarget(redis: Redis | Cluster, { prefix }: BullmqTargetOptions = {}): BullmqTarget {
  const connection = openQuickly(redis);
  const queues = new Map<string, Queue>();
  const queueOf = (name: string): Queue => {
    const known = queues.get(name);
    if (known !== undefined) return known;
    const queue = new Queue(name, {
      connection: connection as never,
      prefix: prefix ?? (redis.isCluster ? '{duework}' : 'duework'),
      // who works here writes them
      skipMetasUpdate: true,
    });
    queue.on('error', () => {});
    queues.set(name, queue);
    return queue;
  };

  return {
    async carry(from, forwards) {
      const nowMs = Date.now();
      const jobs = await sendThroughHook(
        forwards.map(({ run }) => run),
        async (runs) => {
          const encoded = runs.map((run, at) => encode(from, { ...forwards[at]!, run }, nowMs));
          return askQuickly(connection, () => add(runs, encoded, queueOf));
        },
      );
      return jobs.map(({ id, isDeduplicated }) => ({ id, deduplicated: isDeduplicated }));
    },
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
      connection.disconnect();
    },
  };
}

/** Adds the jobs, those of one queue together, and says what each has become. */
async function add(
  runs: readonly NewRun[],
  jobs: readonly EncodedJob[],
  queueOf: (name: string) => Queue,
): Promise<SentJob[]> {
  const added: SentJob[] = [];
  for (const queue of new Set(runs.map((run) => run.queue))) {
    const places = [...runs.keys()].filter((at) => runs[at]!.queue === queue);
    const made = await queueOf(queue).addBulk(places.map((at) => jobs[at]!));
    places.forEach((at, n) => {
      const id = made[n]!.id!;
      // under a key that is taken it is another job
      added[at] = { id: toJobId({ queue, id }), isDeduplicated: id !== jobs[at]!.opts.jobId };
    });
  }
  return added;
}

/** The job of a forward. Its delay, and the window of its key, count from the moment at which the caller enqueued. */
function encode(from: string, { id, run, createdAtMs }: CarriedForward, nowMs: number): EncodedJob {
  const { keyWindowMs: windowMs } = run;
  const keyWindowMs = windowMs === null ? null : Math.max(1, createdAtMs + windowMs - nowMs);
  try {
    return encodeJob({ ...run, keyWindowMs }, createdAtMs, `f${from}-${id}`);
  } catch (cause) {
    // as another program might have written it
    throw new DueworkError('payload_not_storable', { type: run.type, reason: 'it is no JSON' }, { cause });
  }
}
