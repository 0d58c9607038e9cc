import { brand, docsOf, hasBrand } from '@duework/sql/errors';

/** docs/look-up/errors.md says what each means. */
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
  readonly docs: string;

  constructor(
    readonly code: StepMisuseCode,
    message: string,
  ) {
    super(message);
    this.docs = docsOf(code);
  }

  /** Whether `error` is one, of any copy of this package. */
  static is(error: unknown): error is StepMisuseError {
    return hasBrand(error, 'duework.step-misuse-error');
  }
}
