import type { Job, JobAttempt, JobStatus } from '../queue/job.js';
import type { Act } from './act.js';
import type { Batch, BatchPage, CancelledBatch } from './batches.js';
import type { RunFlow } from './producer.js';

/** Which runs to list, newest first; running ones the longest due first. */
export interface JobFilter {
  readonly status?: JobStatus | undefined;
  readonly type?: string | undefined;
  readonly queue?: string | undefined;
  /** The `nextCursor` of the page before; only the store knows what it means. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export interface JobPage {
  readonly jobs: readonly Job[];
  /**
   * Pass it as `cursor` for the next page; null: this was the last page. A page with few jobs, or none, need not be the
   * last: a page scans a bounded number of runs, of which few may fit the filter.
   */
  readonly nextCursor: string | null;
}

/**
 * Waiting and running runs by queue and type; `oldestWaitingSeconds` is 0 if nothing is due. `isAtLeast`: the queue has
 * more runs than were counted, perhaps of types that are not listed.
 */
export interface QueueDepth {
  readonly queue: string;
  readonly type: string;
  readonly due: number;
  readonly scheduled: number;
  readonly retrying: number;
  readonly running: number;
  /** Due, and waiting at a gate; among none of the others. */
  readonly held: number;
  readonly oldestWaitingSeconds: number;
  readonly isAtLeast: boolean;
}

/** The scope of a pause: every run of a queue, or every run of a type. */
export type PauseKind = 'queue' | 'type';

/** Keeps workers from claiming runs of a queue or of a type; runs that are claimed already go on. */
export interface Pause {
  readonly kind: PauseKind;
  readonly name: string;
  readonly since: Date;
  /** When it ends automatically; null: it holds until the queue or type is resumed. */
  readonly until: Date | null;
  readonly by: string | null;
  readonly reason: string | null;
}

/** A pause to write. */
export interface NewPause {
  readonly kind: PauseKind;
  readonly name: string;
  /** ISO 8601 text in UTC; null: without an end. */
  readonly until: string | null;
  readonly act: Act;
}

/** What becomes of a run that waits; what is null stays as it is. */
export interface RunUpdate {
  /** Another payload, of a run of this type, as this version of it, with the gates that it has in its contract's queue. */
  readonly payload: {
    readonly type: string;
    readonly version: number;
    readonly json: string;
    readonly flow: Pick<RunFlow, 'gates' | 'units'> | null;
  } | null;
  /** ISO 8601 text in UTC. */
  readonly runAt: string | null;
  /** After the store's now; null where `runAt` is given. */
  readonly delayMs: number | null;
  readonly priority: number | null;
  readonly maxAttempts: number | null;
}

/** How a run is retried. */
export interface Retry {
  /** Effects of which nobody knows whether they have happened did happen; else they may be done again. */
  readonly effectsHappened: boolean;
  /** This step, and what was done after it, is forgotten; null: all that was done is kept. */
  readonly fromStep: string | null;
}

/** A live run as the update found it. It was refused where it is running, of another type, or has spent its attempts. */
export interface UpdateAnswer {
  readonly isUpdated: boolean;
  readonly status: JobStatus;
  readonly type: string;
  readonly attempts: number;
}

/**
 * What people read and change by hand. Each verb takes who acts and why, and a store that keeps an audit writes it with
 * the change; a verb that refuses, or finds all as it was asked for, leaves no entry. Each verb is atomic, and its answer says when it refused. An id that cannot be
 * one of this store's throws `invalid_job_id`: only the store knows what its ids look like.
 */
export interface Operator {
  /**
   * One run, live or finished, with its attempts that failed or were interrupted, oldest first; null: there is none.
   */
  find(id: string): Promise<{ job: Job; attempts: JobAttempt[] } | null>;
  statusOf(id: string): Promise<JobStatus | null>;
  /**
   * Throws `invalid_cursor` for a cursor that this store cannot have returned. Never called where the store has no
   * `lists`.
   */
  list(filter: JobFilter): Promise<JobPage>;
  /** Makes a run due again, and settles its unknown effects. false: it is running, has succeeded, or is not there. */
  retry(id: string, how: Retry, act: Act): Promise<boolean>;
  /** Whether a run has kept a step of that name, or waits in one. */
  hasStep(id: string, name: string): Promise<boolean>;
  /** Cancels a waiting run, or requests that of a running one. null: the run has finished, or is not there. */
  cancel(id: string, act: Act): Promise<'cancelled' | 'requested' | null>;
  /**
   * Changes a run that waits, against a claim that takes it at this moment: one of both comes first, and the other sees it.
   * null: the run has finished, or is not there.
   */
  update(id: string, update: RunUpdate, act: Act): Promise<UpdateAnswer | null>;
  /** Writes that somebody has looked at a dead run, which stays dead. false: it is not dead. */
  acknowledge(id: string, act: Act): Promise<boolean>;
  /** Frees a run's key. Returns whether the run still had it; null: the run is neither dead nor cancelled. */
  freeKey(id: string, act: Act): Promise<boolean | null>;
  /**
   * Writes a pause; one that holds already keeps its `since`, and takes the rest over. No claim that begins after the
   * answer takes a run of it. null: its end has passed already, and nothing was written.
   */
  pause(pause: NewPause): Promise<Pause | null>;
  /** Ends a pause, and wakes the workers; the pause as it was. null: there was none. */
  resume(kind: PauseKind, name: string, act: Act): Promise<Pause | null>;
  /** The pauses that hold, by kind and name. */
  pauses(): Promise<Pause[]>;
  /** A batch as it stands at this moment; null: there is none. */
  findBatch(id: string): Promise<Batch | null>;
  /** Batches, newest first. Throws `invalid_cursor`. */
  listBatches(page: { readonly limit: number; readonly cursor?: string | undefined }): Promise<BatchPage>;
  /** Cancels the jobs of a batch that wait, and requests that of those that run. */
  cancelBatch(id: string, act: Act): Promise<CancelledBatch>;
  /** Counts live runs by queue and type, sorted by both. */
  queueDepth(): Promise<QueueDepth[]>;
}
