import { brand, hasBrand } from '@duework/sql/errors';
import type { StepFailure } from './ports/steps.js';

/**
 * A step threw. Its code and message are kept, not the error itself, and are the same in each attempt. If the handler
 * catches it and continues, the step has failed for good, and every later attempt throws it again.
 */
export class StepFailedError extends Error {
  static {
    brand(this, 'duework.step-failed-error');
  }

  override readonly name = 'StepFailedError';
  /** Of what the step threw. */
  readonly code: string;

  constructor(
    readonly step: string,
    readonly failure: StepFailure,
    /** Another attempt would end the same. */
    public isPermanent: boolean,
    stack: string | null = null,
  ) {
    super(failure.message);
    this.code = failure.code;
    if (stack !== null) this.stack = stack;
  }

  /** Whether `error` is one, of any copy of this package. */
  static is(error: unknown): error is StepFailedError {
    return hasBrand(error, 'duework.step-failed-error');
  }
}

/**
 * other_shard: a job of another shard was to be waited for. steps_changed: a run has done steps for which its handler no longer asks. step_named_twice: one attempt asked for two
 * steps of one name. step_misused: a name or a result that cannot be stored. not_durable: its contract has no `durable`.
 * wait_by_sensitive: a signal was to be waited for by a sensitive value of the payload.
 */
export type StepMisuseCode =
  | 'steps_changed'
  | 'step_named_twice'
  | 'step_misused'
  | 'not_durable'
  | 'other_shard'
  | 'wait_by_sensitive';

/** The handler used steps against their rules, or its code has changed under a run; see `code`. */
export class StepMisuseError extends Error {
  static {
    brand(this, 'duework.step-misuse-error');
  }

  override readonly name = 'StepMisuseError';

  constructor(
    readonly code: StepMisuseCode,
    message: string,
  ) {
    super(message);
  }

  /** Whether `error` is one, of any copy of this package. */
  static is(error: unknown): error is StepMisuseError {
    return hasBrand(error, 'duework.step-misuse-error');
  }
}
