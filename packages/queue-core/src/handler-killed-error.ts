import { brandErrors } from '@duework/contracts';

/** The handler ignored its signal for a whole grace and was killed. */
export class HandlerKilledError extends Error {
  static {
    brandErrors('HandlerKilledError', this);
  }

  override readonly name = 'HandlerKilledError';
  readonly code = 'handler_killed';
}
