import { brand, hasBrand } from '@duework/queue-core/handling';

/**
 * memory_limit_exceeded: the attempt needed more memory than its contract gives it. thread_exited: its thread or
 * process ended before the handler did. isolated_module_invalid: its module cannot be loaded, or lacks the right
 * default export.
 */
export type IsolationErrorCode = 'memory_limit_exceeded' | 'thread_exited' | 'isolated_module_invalid';

/** How isolation ended an attempt. Each of these is retried: another machine or a deploy may be better next time. */
export class IsolationError extends Error {
  static {
    brand(this, 'duework.isolation-error');
  }

  override readonly name = 'IsolationError';

  constructor(
    readonly code: IsolationErrorCode,
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
  }

  /** Whether `error` is one, of any copy of this package. */
  static is(error: unknown): error is IsolationError {
    return hasBrand(error, 'duework.isolation-error');
  }
}
