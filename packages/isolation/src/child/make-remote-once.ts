import { type EffectContext, encodeJson, isUndone, type Once, type OnceOptions } from '@duework/queue-core/handling';
import { decodeError } from '../wire/decode-error.js';
import { encodeError, type WireError } from '../wire/encode-error.js';
import type { EffectOutcome, OnceEnding, ThreadRequest, ToThread } from '../wire/messages.js';

type OnceMessage = Exclude<ToThread, { kind: 'abort' }>;

/** One call of `once`, from the request to the worker to the worker's last answer. */
interface Call {
  readonly effect: (about: EffectContext) => unknown;
  readonly didNotHappen: (error: unknown) => boolean;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
  isRepeat: boolean;
  /** What the effect did here: the handler gets that very value or error, not a copy. */
  own: { readonly value: unknown } | { readonly error: unknown } | null;
  begun: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | null;
}

/** Counted over all attempts of this thread, so that a late answer to an earlier one meets no call of this one. */
let lastCall = 0;

/**
 * `once` inside the handler's thread. The effect runs here, because only here are its values; the worker does every
 * statement, under the same rules as for any handler.
 */
export function makeRemoteOnce(
  signal: AbortSignal,
  post: (request: ThreadRequest) => void,
): { once: Once; receive: (message: OnceMessage) => void; hasCalls: () => boolean } {
  const calls = new Map<number, Call>();

  const once: Once = (name, effect, options: OnceOptions = {}) => {
    signal.throwIfAborted();
    const call = ++lastCall;
    return new Promise((resolve, reject) => {
      calls.set(call, {
        effect,
        didNotHappen: options.didNotHappen ?? isUndone,
        resolve,
        reject,
        isRepeat: false,
        own: null,
        begun: null,
      });
      post({ kind: 'once', call, name, key: options.key ?? null, beginLate: options.beginLate === true });
    });
  };

  async function runEffect(id: number, call: Call, key: string): Promise<void> {
    const about: EffectContext = {
      key,
      get isRepeat() {
        return call.isRepeat;
      },
      begin: () =>
        new Promise((resolve, reject) => {
          call.begun = { resolve, reject };
          post({ kind: 'begin_effect', call: id });
        }),
    };
    post({ kind: 'effect_ended', call: id, ending: await endingOf(call, about) });
  }

  function receive(message: OnceMessage): void {
    const call = calls.get(message.call);
    if (call === undefined) return;
    switch (message.kind) {
      case 'effect_wanted':
        call.isRepeat = message.isRepeat;
        return void runEffect(message.call, call, message.key);
      case 'effect_begun':
        call.isRepeat = message.isRepeat;
        return message.refusal === null ? call.begun?.resolve() : call.begun?.reject(decodeError(message.refusal));
      case 'once_ended':
        calls.delete(message.call);
        return settleCall(call, message.ending);
    }
  }

  return { once, receive, hasCalls: () => calls.size > 0 };
}

async function endingOf(call: Call, about: EffectContext): Promise<EffectOutcome> {
  try {
    const value = await call.effect(about);
    call.own = { value };
    return { kind: 'returned', json: toJson(value) };
  } catch (error) {
    call.own = { error };
    return { kind: 'threw', ...judge(call, error) };
  }
}

/** A `didNotHappen` that throws has not said that the effect did not happen. */
function judge({ didNotHappen }: Call, error: unknown): { error: WireError; isUndone: boolean } {
  try {
    return { error: encodeError(error), isUndone: didNotHappen(error) };
  } catch (thrown) {
    return { error: encodeError(thrown), isUndone: false };
  }
}

function settleCall({ own, resolve, reject }: Call, ending: OnceEnding): void {
  if (ending.kind === 'refused') return reject(decodeError(ending.error));
  if (ending.kind === 'stored') return resolve(JSON.parse(ending.json) as never);
  if (own !== null && 'error' in own) return reject(own.error);
  return resolve(own?.value as never);
}

function toJson(value: unknown): string | null {
  try {
    return encodeJson(value ?? null, (reason) => new TypeError(reason));
  } catch {
    return null;
  }
}
