import type { EventContract, JobContract, SignalContract } from '@duework/contracts';
import type {
  BatchListing,
  BatchPage,
  JobListing,
  JobPage,
  JobQueue,
  Pause,
  Queryable,
  QueueDepth,
  Transactable,
} from '@duework/queue-core';

/** Clients of the databases, by the names of their shards. */
export type ShardClients = Readonly<Record<string, Transactable>>;

/**
 * Returns the shard of a job, a signal or an event, or nothing if any will do. It gets the payload as you gave it, before it is
 * parsed.
 */
export type ShardOf = (
  contract: JobContract | SignalContract | EventContract,
  payload: unknown,
) => string | null | undefined;

export interface ShardsOptions {
  readonly shards: ShardClients;
  /** Not given: jobs without a key go to any shard, and others are refused. */
  readonly shardOf?: ShardOf;
  /** The shard of ids without a name, which were given out before there were shards. Not given: they are refused. */
  readonly bareIds?: string;
  /** For how long a list or a sum waits for a shard, in ms; default 1,000. */
  readonly answerWithinMs?: number;
}

/** A shard that gave no answer, and why: the code of the error, or `too_slow`. */
export interface ShardProblem {
  readonly shard: string;
  readonly problem: string;
  /** One sentence, without a password. */
  readonly message: string;
}

/** A list that was put together, and the shards whose part is missing from it. */
export type Gathered<T> = T[] & { readonly problems: readonly ShardProblem[] };

/** An answer of which a part may be missing. */
interface WithProblems {
  readonly problems: readonly ShardProblem[];
}

export type ShardPause = Pause & { readonly shard: string };
export type ShardDepth = QueueDepth & { readonly shard: string };

/**
 * One queue over several shards. An id names its shard, and only that is asked. Lists and sums wait a second at most,
 * and name missing shards. A change of a queue or type is made in each shard, or throws `shards_partly_done`.
 */
export interface Shards extends JobQueue {
  /** The names, in the order in which they were given. */
  readonly names: readonly string[];
  /** All or none, so all in one shard. Throws `shards_differ`. */
  enqueueMany: JobQueue['enqueueMany'];
  /** Newest first by creation; running ones the longest due first. */
  findJobs(listing?: JobListing): Promise<JobPage & WithProblems>;
  listBatches(listing?: BatchListing): Promise<BatchPage & WithProblems>;
  listPauses(): Promise<Gathered<ShardPause>>;
  queueDepth(): Promise<Gathered<ShardDepth>>;
  /**
   * The queue of one shard alone, whose ids name it. `tx`: a client of that shard's database, or an open transaction,
   * through which it speaks. Throws `unknown_shard`.
   */
  in(shard: string, tx?: Queryable): JobQueue;
}
