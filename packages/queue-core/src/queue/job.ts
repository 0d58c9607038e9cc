import type { Json } from '@duework/contracts';

/** `failed` will be retried; `dead` is given up. The first three are live, the others are final. */
export const STATUSES = ['queued', 'running', 'failed', 'succeeded', 'dead', 'cancelled'] as const;
export type JobStatus = (typeof STATUSES)[number];

export type { Json };

/** Texts by name beside a payload, for example of tracing (`traceparent`, `tracestate`, `baggage`). */
export type Meta = Readonly<Record<string, string>>;

/** One run as people see it, live or finished. Ids are decimal strings, because a bigint does not fit a number. */
export interface Job {
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly queue: string;
  readonly status: JobStatus;
  readonly priority: number;
  readonly runAt: Date;
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
  /** The handler's last `progress`. */
  readonly progress: Json;
  readonly result: Json;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  /** How often its handler snoozed, and when it last did (`snoozedAt`): snoozes leave no recorded attempts. */
  readonly snoozes: number;
  readonly snoozedAt: Date | null;
  /** How often a worker that stopped gave it back while its handler ran; no attempt is charged for that. */
  readonly releases: number;
  /** When the dead run was acknowledged. */
  readonly acknowledgedAt: Date | null;
  readonly meta: Meta | null;
  /** When it is cancelled unless it has started; null: never. */
  readonly expiresAt: Date | null;
  /** No retry of it begins later; null: `maxAttempts` alone decides. */
  readonly retryUntil: Date | null;
  /**
   * The key of the gate at which it waits, or of a pause that holds it back there (`pause/queue/mail`); null: it was let in,
   * is not due yet, or is over.
   */
  readonly heldBy: string | null;
  /** Its handler waits: for a time, a signal or a job. */
  readonly isSuspended: boolean;
  /** The batch that it belongs to; null: none. */
  readonly batch: string | null;
  /** The gates that must have room before it starts, in order; none without flow control. */
  readonly gates: readonly JobGate[];
}

/** A key of flow control, `limit/send_mail.accountId/7`, and how much of it a run takes. */
export interface JobGate {
  readonly key: string;
  readonly units: number;
}

/** What may be large, and what changes at every heartbeat. */
export type NotListed = 'payload' | 'result' | 'meta' | 'gates' | 'lockedUntil';

/** A job as a list that is followed shows it. */
export type ListedJob = Omit<Job, NotListed>;

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
  /** The handler's last logs, if its worker or its contract keeps them (`keepLogs`). */
  readonly logs: string | null;
  /** Why the attempt was aborted; null: it was not. */
  readonly abortCode: 'timeout' | 'cancelled' | 'shutting_down' | null;
  /**
   * How far the abort had to go: the handler ended on its signal, its process was killed, or its lease was revoked
   * while it ran on.
   */
  readonly abortStage: 'signalled' | 'killed' | 'lease_revoked' | null;
}
