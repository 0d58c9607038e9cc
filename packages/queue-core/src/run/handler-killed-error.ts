import { brand, hasBrand } from '@duework/sql/errors';

/** The handler ignored its signal for a whole grace and was killed. */
export class HandlerKilledError extends Error {
  static {
    brand(this, 'duework.handler-killed-error');
  }

  override readonly name = 'HandlerKilledError';
  readonly code = 'handler_killed';

  /** Whether `error` is one, of any copy of this package. */
  static is(error: unknown): error is HandlerKilledError {
    return hasBrand(error, 'duework.handler-killed-error');
  }
}
