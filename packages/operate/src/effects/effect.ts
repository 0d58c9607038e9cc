/**
 * `started`: an attempt is doing it, or was cut off while it did. `unknown`: it may have happened, and a person has to look.
 * `approved`: somebody has looked, and it may be done again. `undone`: the handler says that it certainly did not happen.
 */
export const EFFECT_STATUSES = ['started', 'done', 'unknown', 'approved', 'undone'] as const;

/** Something that `once` does, or has done, for the business event of a job. */
export interface Effect {
  readonly name: string;
  /** Of the business event: the job's idempotency key, or what its handler has named. */
  readonly key: string;
  readonly status: (typeof EFFECT_STATUSES)[number];
  /** The job that did it, or tried to last: of a key there may have been several. */
  readonly jobId: string;
  readonly startedAt: Date;
  readonly doneAt: Date | null;
}
