import { brandErrors } from '@duework/contracts';

/** Nobody knows whether an effect happened. The run is buried with this code, so that a person decides. */
export class EffectUnknownError extends Error {
  static {
    brandErrors('EffectUnknownError', this);
  }

  override readonly name = 'EffectUnknownError';
  readonly code = 'effect_unknown';
}

/** The handler used `once` against its rules: one name twice at the same time, or a result that is not JSON. */
export class EffectMisuseError extends Error {
  static {
    brandErrors('EffectMisuseError', this);
  }

  override readonly name = 'EffectMisuseError';
  readonly code = 'effect_misused';
}
