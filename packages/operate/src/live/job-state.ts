import type { JobStatus, Json } from '@duework/queue-core';

/** What people follow of a job while it lives: where it is, and never its payload. Times are ISO 8601, in UTC. */
export interface JobState {
  readonly id: string;
  readonly type: string;
  readonly queue: string;
  readonly status: JobStatus;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly runAt: string;
  readonly claimedAt: string | null;
  readonly finishedAt: string | null;
  /** What the handler last reported. */
  readonly progress: Json;
  readonly errorCode: string | null;
  readonly cancelRequestedAt: string | null;
  /** The key of the gate at which it waits; null: at none. */
  readonly heldBy: string | null;
  /** Another one after each change of the job: what a client has seen, in a few characters. */
  readonly revision: string;
}
