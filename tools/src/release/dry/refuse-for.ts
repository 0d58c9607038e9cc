import { PlainError } from '../../../bootstrap/plain-error.mjs';

/** Throws a PlainError with all that speaks against a release; nothing does: returns. */
export function refuseFor(reasons: readonly string[]): void {
  if (reasons.length > 0) throw new PlainError(reasons.join('\n'));
}
