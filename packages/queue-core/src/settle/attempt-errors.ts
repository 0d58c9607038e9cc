import { brand, docsOf, hasBrand } from '@duework/sql/errors';

/** The handler ignored its signal for a whole grace and was killed. */
export class HandlerKilledError extends Error {
  static {
    brand(this, 'duework.handler-killed-error');
  }

  override readonly name = 'HandlerKilledError';
  readonly code = 'handler_killed';
  readonly docs = docsOf('handler_killed');

  /** Whether `error` is one, of any copy of this package. */
  static is(error: unknown): error is HandlerKilledError {
    return hasBrand(error, 'duework.handler-killed-error');
  }
}

/** A handler returned an outcome that is impossible, or outcomes that fit no jobs; only code without types can do that. */
export class OutcomeError extends Error {
  override readonly name = 'OutcomeError';
  readonly code = 'invalid_outcome';
}
