/** A handler returned an outcome that is impossible, or outcomes that fit no jobs; only code without types can do that. */
export class OutcomeError extends Error {
  override readonly name = 'OutcomeError';
  readonly code = 'invalid_outcome';
}
