import { setMaxListeners } from 'node:events';
import { AbortReason, encodeJson, systemClock } from '@duework/queue-core/handling';
import type { HandlerLog, Json } from '@duework/queue-core';
import type { IsolatedContext } from '../define-isolated.js';
import { encodeFacts } from '../wire/encode-facts.js';
import type { SentAttempt, ThreadRequest, ToThread } from '../wire/messages.js';
import { makeRemoteOnce } from './make-remote-once.js';

/** The worker writes progress once a second at most, so sending it much more often is useless. */
const PROGRESS_INTERVAL_MS = 250;

/** The handler's context in its thread: what needs the database or the log is sent to the worker. */
export function makeThreadContext(
  { run, payload }: SentAttempt,
  post: (request: ThreadRequest) => void,
): { context: IsolatedContext; receive: (message: ToThread) => void } {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  const { once, receive } = makeRemoteOnce(controller.signal, post);
  const log = makeLog(post);
  return {
    context: {
      payload,
      run,
      meta: run.meta,
      attempt: run.attempt,
      fence: run.fence,
      signal: controller.signal,
      log,
      once,
      progress: makeProgress(log, post),
    },
    receive: (message) =>
      message.kind === 'abort'
        ? controller.abort(new AbortReason(message.code, message.message, message.by))
        : receive(message),
  };
}

function makeLog(post: (request: ThreadRequest) => void): HandlerLog {
  const write = (level: keyof HandlerLog) => (facts: object, message?: string) =>
    post({ kind: 'log', level, facts: encodeFacts(facts), ...(message === undefined ? {} : { message }) });
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

/** The latest value wins. While a handler that never yields goes on calling, its progress is sent as well. */
function makeProgress(log: HandlerLog, post: (request: ThreadRequest) => void): (value: Json) => void {
  let latest: string | null = null;
  let toldMs = -Infinity;
  let isWaiting = false;
  const tell = (): void => {
    if (latest === null) return;
    toldMs = systemClock.monotonicMs();
    post({ kind: 'progress', json: latest });
    latest = null;
  };
  return (value) => {
    try {
      latest = encodeJson(value, (reason) => new TypeError(reason));
    } catch (error) {
      return log.warn({ error: String(error) }, 'this progress cannot be stored as JSON and is left out');
    }
    const waitMs = toldMs + PROGRESS_INTERVAL_MS - systemClock.monotonicMs();
    if (waitMs <= 0) return tell();
    if (isWaiting) return;
    isWaiting = true;
    systemClock.after(waitMs, () => {
      isWaiting = false;
      tell();
    });
  };
}
