export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** `failed` will be retried; `dead` is given up. */
export type JobStatus = 'queued' | 'running' | 'failed' | 'succeeded' | 'dead' | 'cancelled';

/** The job that exists now. `isDeduplicated`: it was there before, under the same key. */
export interface EnqueuedJob {
  readonly id: string;
  readonly type: string;
  readonly status: JobStatus;
  readonly runAt: Date;
  readonly isDeduplicated: boolean;
  /** That job has another payload, which stays; undefined: the key may not read payloads, and is not told. */
  readonly payloadDiffers?: boolean;
}

/** A job as people see it, live or finished. */
export interface Job<TResult = Json> {
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly queue: string;
  readonly status: JobStatus;
  readonly priority: number;
  readonly runAt: Date;
  /** Without the scope `payloads` of the key it is not there, nor are `progress` and `result`. */
  readonly payload: Json;
  readonly idempotencyKey: string | null;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly fence: number;
  readonly worker: string | null;
  readonly lockedUntil: Date | null;
  readonly claimedAt: Date | null;
  readonly failedAt: Date | null;
  readonly errorCode: string | null;
  readonly errorType: string | null;
  readonly lastError: string | null;
  readonly cancelRequestedAt: Date | null;
  readonly cancelRequestedBy: string | null;
  readonly cancelReason: string | null;
  readonly progress: Json;
  /** null until it has succeeded. */
  readonly result: TResult | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  readonly snoozes: number;
  readonly snoozedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly retryUntil: Date | null;
  /** How often a worker that stopped gave it back while its handler ran. */
  readonly releases: number;
  readonly acknowledgedAt: Date | null;
  /** Texts kept beside the payload: a traceparent. */
  readonly meta: Readonly<Record<string, string>> | null;
  /**
   * The key of the gate at which it waits, `limit/smtp`, or of a pause that holds it back there; null: at none. Without the
   * scope `payloads` it is without the value that it is by.
   */
  readonly heldBy: string | null;
  /** Its handler waits: for a time, a signal or a job. */
  readonly isSuspended: boolean;
  /** The batch that it belongs to; null: none. */
  readonly batch: string | null;
  /** Where there has to be room before it starts; not there without the scope `payloads`. */
  readonly gates: readonly { readonly key: string; readonly units: number }[];
}

/** Where a job is, as those see it who follow it. */
export interface JobState {
  readonly id: string;
  readonly type: string;
  readonly queue: string;
  readonly status: JobStatus;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly runAt: Date;
  readonly claimedAt: Date | null;
  readonly finishedAt: Date | null;
  /** The handler's last report; absent without the scope `payloads`. */
  readonly progress?: Json;
  readonly errorCode: string | null;
  readonly cancelRequestedAt: Date | null;
  /** As of a job. */
  readonly heldBy: string | null;
  /** Another one after each change. */
  readonly revision: string;
}

/** One attempt that failed or was interrupted; or that succeeded, where its contract keeps its logs. */
export interface JobAttempt {
  readonly attempt: number;
  readonly fence: number;
  readonly outcome: 'failed' | 'lost' | 'interrupted' | 'cancelled' | 'succeeded';
  readonly worker: string;
  readonly claimedAt: Date;
  readonly finishedAt: Date;
  readonly errorCode: string | null;
  readonly errorType: string | null;
  readonly errorMessage: string | null;
  readonly errorStack: string | null;
  /** The handler's last logs, if its worker keeps them; null without the scope `payloads`. */
  readonly logs: string | null;
  readonly abortCode: 'timeout' | 'cancelled' | 'shutting_down' | null;
  readonly abortStage: 'signalled' | 'killed' | 'lease_revoked' | null;
}

export interface JobPage {
  readonly jobs: readonly Job[];
  /** Pass it as `cursor` for the next page; null: this was the last page. */
  readonly nextCursor: string | null;
  /** Leads back; null: this is the first page. */
  readonly previousCursor: string | null;
  /** false: the search stopped at its limit before the page was full; continue with `nextCursor`. */
  readonly isComplete: boolean;
  /** If it is not complete: a term that would help. */
  readonly hint: string | null;
  /** Of an API over several databases: those whose part is missing. Absent: it is over one. */
  readonly problems?: readonly ShardProblem[];
}

/** A database, one of several, that gave no answer. */
export interface ShardProblem {
  readonly shard: string;
  readonly problem: 'database_away' | 'too_slow' | 'failed';
}

/** The fields of whatever the API sends that are moments: texts in JSON. */
const isMoment = (field: string): boolean => /(At|Until|[sS]ince)$/.test(field);

/** What the server sent, with its moments as dates. What is inside a payload or a result stays as it is. */
export const reviveMoments = <T extends object>(sent: { readonly [K in keyof T]: unknown }): T =>
  Object.fromEntries(
    Object.entries(sent).map(([field, value]) => [
      field,
      isMoment(field) && typeof value === 'string' ? new Date(value) : value,
    ]),
  ) as T;
