/** An error whose message says everything: what is wrong and what to do. It is shown without its stack. */
export class PlainError extends Error {
  /** @override */
  name = 'PlainError';
}
