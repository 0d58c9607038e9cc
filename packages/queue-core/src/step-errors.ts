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
