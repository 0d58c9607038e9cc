/** A handler returned something that is no outcome, or an impossible one; only code without types can do that. */
export class OutcomeError extends Error {
  override readonly name = 'OutcomeError';
  readonly code = 'invalid_outcome';
}
