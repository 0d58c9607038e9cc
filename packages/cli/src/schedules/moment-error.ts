/** A text that names no moment. */
export class MomentError extends Error {
  override readonly name = 'MomentError';
}
