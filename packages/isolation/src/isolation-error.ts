import { brand, docsOf, hasBrand } from '@duework/queue-core/handling';

/** docs/look-up/errors.md says what each means. */
export type IsolationErrorCode = 'memory_limit_exceeded' | 'thread_exited' | 'isolated_module_invalid';

/** How isolation ended an attempt. Each of these is retried: another machine or a deploy may be better next time. */
export class IsolationError extends Error {
  static {
    brand(this, 'duework.isolation-error');
  }

  override readonly name = 'IsolationError';
  readonly docs: string;

  constructor(
    readonly code: IsolationErrorCode,
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
    this.docs = docsOf(code);
  }

  /** Whether `error` is one, of any copy of this package. */
  static is(error: unknown): error is IsolationError {
    return hasBrand(error, 'duework.isolation-error');
  }
}
