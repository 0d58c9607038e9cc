import type { Meta } from '../queue/job.js';

/** A job to be written, for a hook: without its payload and idempotency key. */
export interface JobToSend {
  readonly type: string;
  readonly version: number;
  readonly queue: string;
  /** What its caller enqueues beside the payload. */
  readonly meta: Meta | null;
  /** The key of the schedule that makes it; null: it is no due time of a schedule. */
  readonly schedule: string | null;
}

/** A job that was written, or found by its idempotency key, for a hook. */
export interface SentJob {
  readonly id: string;
  readonly isDeduplicated: boolean;
}

/**
 * Sends the statement, at most once, and resolves with one job for each, in their order; null: a full queue dropped
 * them. `metas`: texts to keep beside each payload. A caller's own text of the same name stays, and texts beyond the
 * limit are left out, so that a hook never fails an enqueue.
 */
export type SendJobs = (metas?: readonly (Meta | null)[]) => Promise<readonly SentJob[] | null>;

/**
 * Runs around every call that enqueues: `enqueue`, `enqueueMany`, each verb of a queue, and the tick of schedules. Call
 * `send` before you return, because the statement must precede the caller's COMMIT; otherwise the jobs are sent without
 * it. The caller gets the statement's answer, whatever the hook throws.
 */
export type EnqueueHook = (jobs: readonly JobToSend[], send: SendJobs) => void;

/** Shared by all copies of this package: a program may load several, because packages are bundled with it. */
const SLOT = Symbol.for('duework.enqueue-hook');
type Slot = { [SLOT]?: EnqueueHook | null };

/** Gives this process its hook, once, before it enqueues anything; another one replaces it, and null takes it away. */
export function instrumentEnqueue(hook: EnqueueHook | null): void {
  (globalThis as Slot)[SLOT] = hook;
}

/** null: nobody looks. */
export function currentEnqueueHook(): EnqueueHook | null {
  return (globalThis as Slot)[SLOT] ?? null;
}
