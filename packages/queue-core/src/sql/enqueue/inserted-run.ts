import type { JobStatus } from '../../queue/job.js';

export interface InsertedRun {
  readonly id: string;
  readonly runAtMs: number;
  /** null: it is new. Otherwise the key was taken, and this is the run that has it. */
  readonly status: JobStatus | null;
  /** The key was taken, and the run that has it has another payload. */
  readonly payloadDiffers: boolean;
}

/** The answer of a statement that ran in another transaction than the expected one, and so has written nothing. */
export interface LeftTransaction {
  readonly left: string;
}
