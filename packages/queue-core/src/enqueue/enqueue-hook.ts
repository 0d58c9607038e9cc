import type { Meta } from '../queue/job.js';

/** What a hook sees of a job that is about to be written: nothing of its payload, and no idempotency key. */
export interface JobToSend {
  readonly type: string;
  readonly version: number;
  readonly queue: string;
  /** What its caller enqueues beside the payload. */
  readonly meta: Meta | null;
  /** The key of the schedule that makes it; null: it is no slot of a schedule. */
  readonly schedule: string | null;
}

/** What a hook sees of a job that was written, or found under its idempotency key. */
export interface SentJob {
  readonly id: string;
  readonly isDeduplicated: boolean;
}

/**
 * Sends the statement, at most once, and answers with one job for each, in their order; null: a full queue dropped them.
 * `metas` has what is to stand beside each payload. A caller's own text of the same name stays, and what does not fit into
 * the limit is left out, from its first text on, so that a hook never makes an enqueue fail.
 */
export type SendJobs = (metas?: readonly (Meta | null)[]) => Promise<readonly SentJob[] | null>;

/**
 * Runs around every call that enqueues: `enqueue`, `enqueueMany`, each verb of a queue, and the tick of schedules. It calls
 * `send` before it returns, because the statement has to be on its way before the caller can send a COMMIT; otherwise the
 * jobs are sent without it. Whoever enqueues gets the answer of the statement, whatever the hook throws.
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
