import type { EffectContext, Once } from '@duework/queue-core/handling';
import type { Json } from '@duework/queue-core';
import { decodeError } from './wire/decode-error.js';
import { encodeError } from './wire/encode-error.js';
import type { EffectOutcome, ThreadRequest, ToThread } from './wire/messages.js';

export interface OnceCall {
  /** The effect was to begin late, and wants to begin now. */
  beginEffect(): Promise<void>;
  endEffect(ending: EffectOutcome): void;
  /** The thread has ended. Resolves when nothing about this call is on its way to the database any more. */
  close(): Promise<void>;
}

/** The thread ended before it could do anything: the effect certainly did not happen. */
class NeverAskedError extends Error {}

/** Stands for a returned value that is not JSON: `once` refuses it as it refuses any such value. */
const NOT_JSON = new Map();

/**
 * One `once` of an isolated handler: the worker does the statements here, the thread does the effect itself.
 *
 * A thread that dies in the middle of an effect leaves it as a crash would: begun, without an end, for the next attempt
 * to find. A thread that was not asked for its effect yet has not done it, and the worker writes that.
 */
export function carryOnce(
  once: Once,
  { call, name, key, beginLate }: Extract<ThreadRequest, { kind: 'once' }>,
  post: (message: ToThread) => void,
): OnceCall {
  let isGone = false;
  let isInThread = false;
  let about: EffectContext;
  let own: { readonly error: unknown; readonly isUndone: boolean } | null = null;
  let hasRun = false;
  let end!: (ending: EffectOutcome | 'gone') => void;
  const ended = new Promise<EffectOutcome | 'gone'>((resolve) => (end = resolve));

  const effect = async (given: EffectContext): Promise<Json> => {
    if (isGone) throw new NeverAskedError();
    about = given;
    hasRun = true;
    isInThread = true;
    post({ kind: 'effect_wanted', call, key: given.key, isRepeat: given.isRepeat });
    const ending = await ended;
    isInThread = false;
    if (ending === 'gone') throw new NeverAskedError();
    if (ending.kind === 'returned')
      return ending.json === null ? (NOT_JSON as never) : (JSON.parse(ending.json) as Json);
    own = { error: decodeError(ending.error), isUndone: ending.isUndone };
    throw own.error;
  };
  const didNotHappen = (error: unknown): boolean => error instanceof NeverAskedError || own?.isUndone === true;
  const done = once<Json>(name, effect, { didNotHappen, beginLate, ...(key === null ? {} : { key }) }).then(
    (result) =>
      post({
        kind: 'once_ended',
        call,
        ending: hasRun ? { kind: 'own' } : { kind: 'stored', json: JSON.stringify(result) },
      }),
    (error: unknown) =>
      post({
        kind: 'once_ended',
        call,
        ending: own !== null && error === own.error ? { kind: 'own' } : { kind: 'refused', error: encodeError(error) },
      }),
  );

  return {
    async beginEffect() {
      isInThread = false;
      const refusal = await about.begin().then(() => null, encodeError);
      if (isGone) return end('gone');
      isInThread = true;
      post({ kind: 'effect_begun', call, isRepeat: about.isRepeat, refusal });
    },
    endEffect: (ending) => end(ending),
    async close() {
      isGone = true;
      if (!isInThread) await done;
    },
  };
}
