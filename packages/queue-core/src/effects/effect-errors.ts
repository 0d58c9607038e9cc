/** Nobody knows whether an effect happened. The run is buried with this code, so that a person decides. */
export class EffectUnknownError extends Error {
  override readonly name = 'EffectUnknownError';
  readonly code = 'effect_unknown';
}

/** The handler used `once` against its rules: one name twice at the same time, or a result that is not JSON. */
export class EffectMisuseError extends Error {
  override readonly name = 'EffectMisuseError';
  readonly code = 'effect_misused';
}
