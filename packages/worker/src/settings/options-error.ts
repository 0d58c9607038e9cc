import { docsOf } from '@duework/queue-core/handling';

/** The arguments, the environment or the options of a worker are wrong. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError';
  readonly code = 'options_invalid';
  readonly docs = docsOf('options_invalid');

  /** @param lines one readable line for each wrong value, without the value of a secret */
  constructor(readonly lines: readonly string[]) {
    super(lines.join('\n'));
  }
}

/** What is wrong with the value of one setting; the message goes on after the setting's name: `must be …`. */
export class WrongValue extends Error {}
