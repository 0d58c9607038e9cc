/** The handler ignored its signal for a whole grace and was killed. */
export class HandlerKilledError extends Error {
  override readonly name = 'HandlerKilledError';
  readonly code = 'handler_killed';
}
