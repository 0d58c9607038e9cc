/** A refusal of the command, whose message is one line with its fix: it is printed without a stack. */
export class PlainError extends Error {
  override readonly name = 'PlainError';

  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
