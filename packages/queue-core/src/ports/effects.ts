import type { EffectPolicy } from '@duework/contracts';
import type { Json } from '../job.js';

/** One effect of one business event. */
export interface EffectKey {
  readonly type: string;
  readonly runKey: string;
  readonly name: string;
}

/** One claim of a run, which is about to do it. */
export interface EffectRequest extends EffectKey {
  readonly id: string;
  readonly fence: number;
  readonly policy: EffectPolicy;
}

/**
 * begun: do it now; `isRepeat` when it may have happened before. done: it has, with this result. unknown: a worker died
 * between doing it and saying so, and the policy forbids doing it again.
 * lost: the run is no longer ours.
 */
export type EffectAnswer =
  | { readonly kind: 'begun'; readonly isRepeat: boolean }
  | { readonly kind: 'done'; readonly result: Json }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'lost' };

/**
 * done: it happened, with this result. undone: it certainly did not. not_repeated: this try, a repeat, certainly did not make
 * it happen, and whether an earlier one did nobody knows: the next one is a repeat again. unknown: nobody can say.
 */
export type EffectEnding =
  { readonly kind: 'done'; readonly resultJson: string } | { readonly kind: 'undone' | 'not_repeated' | 'unknown' };

/** Where it is written that something left the system, so that it happens once. */
export interface EffectStore {
  /** Writes that an effect is about to happen, only while its run is ours. */
  beginEffect(request: EffectRequest): Promise<EffectAnswer>;
  /** The result of an effect that has happened; null: it has not, or nobody knows. */
  findEffect(key: EffectKey): Promise<{ readonly result: Json } | null>;
  /** Writes how it ended; false: another claim has taken it over. */
  endEffect(
    key: EffectKey,
    claim: { readonly id: string; readonly fence: number },
    ending: EffectEnding,
  ): Promise<boolean>;
}
