import { brand, docsOf, hasBrand } from '@duework/sql/errors';

/** It is unknown whether an effect happened. The run is buried with this code, so that a person decides. */
export class EffectUnknownError extends Error {
  static {
    brand(this, 'duework.effect-unknown-error');
  }

  override readonly name = 'EffectUnknownError';
  readonly code = 'effect_unknown';
  readonly docs = docsOf('effect_unknown');

  /** Whether `error` is one, of any copy of this package. */
  static is(error: unknown): error is EffectUnknownError {
    return hasBrand(error, 'duework.effect-unknown-error');
  }
}

/** The handler used `once` against its rules: one name twice at the same time, or a result that is not JSON. */
export class EffectMisuseError extends Error {
  static {
    brand(this, 'duework.effect-misuse-error');
  }

  override readonly name = 'EffectMisuseError';
  readonly code = 'effect_misused';
  readonly docs = docsOf('effect_misused');

  /** Whether `error` is one, of any copy of this package. */
  static is(error: unknown): error is EffectMisuseError {
    return hasBrand(error, 'duework.effect-misuse-error');
  }
}
