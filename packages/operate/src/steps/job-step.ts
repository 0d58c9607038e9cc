export const STEP_STATUSES = ['waiting', 'done', 'failed'] as const;
/** `work`: the handler does something. The others are waits: for a time, a signal, a job, or one that it has enqueued itself. */
export const STEP_KINDS = ['work', 'time', 'signal', 'job', 'child'] as const;
/** Longer results are left out. */
export const MAX_RESULT_BYTES = 16_384;

/** A step of a run, or one of its waits. */
export interface JobStep {
  readonly name: string;
  /** failed: it threw, and its handler went on; or the child is dead or cancelled. */
  readonly status: (typeof STEP_STATUSES)[number];
  readonly kind: (typeof STEP_KINDS)[number];
  /** The name of the signal, or the id of the job; null: it waits for neither, or whoever asks may not see the job. */
  readonly of: string | null;
  /** That of the signal, as JSON; null: there is none, or whoever asks may not see it. */
  readonly key: string | null;
  /** When a wait that goes on has begun; null: it has ended, or is no wait. */
  readonly since: Date | null;
  /** When it ends automatically; null: never. */
  readonly until: Date | null;
  /** What it waits for, or has waited for, and how it has ended; for people. */
  readonly sentence: string;
  /** What it has returned, or the payload of the signal. Not that of a job: the job has it. */
  readonly result: unknown;
  /** There is a result, and it is longer than 16 KiB. */
  readonly isLong: boolean;
  /** How the job has ended for which it waited; null: it has not, or the step waits for none. */
  readonly end: 'succeeded' | 'dead' | 'cancelled' | null;
  /** `message`: null for whoever may not see values of payloads. */
  readonly error: { readonly code: string; readonly message: string | null } | null;
  /** When the attempt that has ended it asked for it; of a wait, when the job began to wait. */
  readonly beganAt: Date;
  readonly doneAt: Date | null;
  /** Of the claim that has written it last. */
  readonly fence: number;
}

/** A job of a workflow, as its run has it: what comes before it, and what has become of it. */
export interface GraphJob {
  readonly name: string;
  readonly after: readonly string[];
  /** It is a job for each element of a list. */
  readonly isEach: boolean;
  /** So many have been enqueued; none: it has not begun, or was skipped. */
  readonly total: number;
  readonly succeeded: number;
  /** So many are dead or cancelled. */
  readonly failed: number;
  readonly isUndone: boolean;
  /** Where it is one job, and has been enqueued. */
  readonly jobId: string | null;
}

/** The steps of a run, in the order in which they were asked for first. */
export interface StepPage {
  readonly steps: readonly JobStep[];
  readonly nextCursor: string | null;
  /** The job that has enqueued this one and waited for it; null: none has. */
  readonly parent: string | null;
  /** Of a workflow; empty: it is none. */
  readonly graph: readonly GraphJob[];
}
