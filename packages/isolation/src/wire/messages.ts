import type { AbortCode, Outcome } from '@duework/queue-core/handling';
import type { ClaimedRun, HandlerLog } from '@duework/queue-core';
import type { WireError } from './encode-error.js';
import type { WireFacts } from './encode-facts.js';

/**
 * The messages between the worker and the handler's thread. All are plain JSON; values that a handler made travel as
 * JSON text, so that they are not checked twice by different rules.
 *
 *   worker → thread   start · abort, at most once · effect_wanted, effect_begun, once_ended: the steps of `once`
 *   thread → worker   begun · log · progress · once, begin_effect, effect_ended · one answer · at_rest, from a process
 *                     that can take another attempt; from any other nothing after the answer
 */
export interface StartMessage {
  readonly kind: 'start';
  readonly module: string;
  readonly memoryMb: number;
  readonly type: string;
  /** null: the module is loaded, and the handler is not called. */
  readonly attempt: SentAttempt | null;
  /** Whether the process may take another attempt after this one. */
  readonly mayStay: boolean;
}

export interface SentAttempt {
  /** Already parsed by the contract. */
  readonly payload: unknown;
  readonly run: ClaimedRun;
}

export type ToThread =
  | { readonly kind: 'abort'; readonly code: AbortCode; readonly message: string; readonly by: string | null }
  /** Asks the thread to do the effect of that call of `once` now. */
  | { readonly kind: 'effect_wanted'; readonly call: number; readonly key: string; readonly isRepeat: boolean }
  /** The database has recorded that the effect begins; or `refusal` says why it must not. */
  | {
      readonly kind: 'effect_begun';
      readonly call: number;
      readonly isRepeat: boolean;
      readonly refusal: WireError | null;
    }
  | { readonly kind: 'once_ended'; readonly call: number; readonly ending: OnceEnding };

/**
 * own: the call ends with what its effect just returned or threw. stored: with an earlier result. refused: with another
 * error.
 */
export type OnceEnding =
  | { readonly kind: 'own' }
  | { readonly kind: 'stored'; readonly json: string }
  | { readonly kind: 'refused'; readonly error: WireError };

export type FromProcess = ThreadRequest | Answer | { readonly kind: 'begun' } | { readonly kind: 'at_rest' };

/**
 * `left`, which the supervisor keeps to itself: the handler has left something that could go on, so the process ends.
 */
export type FromThread = FromProcess | { readonly kind: 'left' };

export type ThreadRequest =
  | { readonly kind: 'log'; readonly level: keyof HandlerLog; readonly facts: WireFacts; readonly message?: string }
  | { readonly kind: 'progress'; readonly json: string }
  | {
      readonly kind: 'once';
      readonly call: number;
      readonly name: string;
      readonly key: string | null;
      readonly beginLate: boolean;
    }
  | { readonly kind: 'begin_effect'; readonly call: number }
  | { readonly kind: 'effect_ended'; readonly call: number; readonly ending: EffectOutcome };

/** `json` null: the effect returned something that is not JSON. `isUndone`: it certainly did not happen. */
export type EffectOutcome =
  | { readonly kind: 'returned'; readonly json: string | null }
  | { readonly kind: 'threw'; readonly error: WireError; readonly isUndone: boolean };

/** How the attempt ended, sent by the thread or by the supervisor, which saw the thread end. */
export type Answer =
  | { readonly kind: 'returned'; readonly outcome: WireOutcome }
  | { readonly kind: 'threw'; readonly error: WireError };

/** A result travels as JSON text. */
export type WireOutcome =
  | Exclude<Outcome<unknown>, { kind: 'complete' }>
  | { readonly kind: 'complete'; readonly json: string };

export function isAnswer(message: FromThread): message is Answer {
  return message.kind === 'returned' || message.kind === 'threw';
}
