/** The arguments, the environment or the options of a worker are wrong. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError';
  readonly code = 'options_invalid';

  /** @param lines one readable line for each wrong value, without the value of a secret */
  constructor(readonly lines: readonly string[]) {
    super(lines.join('\n'));
  }
}
