import type { EffectPolicy } from '@duework/contracts';
import type { Json } from '../queue/job.js';

/** One effect of one business event. */
export interface EffectKey {
  readonly type: string;
  readonly runKey: string;
  readonly name: string;
}

/** An effect that one claim of a run is about to do. */
export interface EffectRequest extends EffectKey {
  readonly id: string;
  readonly fence: number;
  readonly policy: EffectPolicy;
}

/**
 * begun: do the effect now; `isRepeat` when it may have happened before. done: it has happened, with this result.
 * unknown: a worker died between doing it and writing that down, and the policy forbids doing it again. lost: this
 * claim no longer owns the run.
 */
export type EffectAnswer =
  | { readonly kind: 'begun'; readonly isRepeat: boolean }
  | { readonly kind: 'done'; readonly result: Json }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'lost' };

/**
 * done: the effect happened, with this result. undone: it certainly did not happen. not_repeated: this try, a repeat,
 * certainly did nothing, and it is unknown whether an earlier one did: the next try is a repeat again. unknown: it may
 * have happened.
 */
export type EffectEnding =
  | { readonly kind: 'done'; readonly resultJson: string }
  | { readonly kind: 'undone' | 'not_repeated' | 'unknown' };

/** Records effects, so that each happens once. */
export interface EffectStore {
  /** Writes that an effect is about to happen, only while this claim owns the run. */
  beginEffect(request: EffectRequest): Promise<EffectAnswer>;
  /** The result of an effect that has happened; null: it has not happened, or that is unknown. */
  findEffect(key: EffectKey): Promise<{ readonly result: Json } | null>;
  /** Writes how an effect ended; false: another claim has taken it over. */
  endEffect(
    key: EffectKey,
    claim: { readonly id: string; readonly fence: number },
    ending: EffectEnding,
  ): Promise<boolean>;
}
