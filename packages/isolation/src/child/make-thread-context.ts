import { setMaxListeners } from 'node:events';
import { AbortReason, encodeJson, systemClock } from '@duework/queue-core/handling';
import type { HandlerLog, Json } from '@duework/queue-core';
import type { IsolatedContext } from '../define-isolated.js';
import { encodeFacts } from '../wire/encode-facts.js';
import type { SentAttempt, ThreadRequest, ToThread } from '../wire/messages.js';
import { makeRemoteOnce } from './make-remote-once.js';

/** The worker writes progress once a second at most, so sending it much more often is useless. */
const PROGRESS_INTERVAL_MS = 250;

/** One attempt as its thread sees it. */
export interface ThreadAttempt {
  readonly context: IsolatedContext;
  receive(message: ToThread): void;
  /** The handler has ended: its last progress is told, and nothing after that. */
  close(): void;
  /** Whether a call of `once` has not ended yet. */
  hasCalls(): boolean;
}

/** The handler's context in its thread: what needs the database or the log is sent to the worker. */
export function makeThreadContext(
  { run, payload }: SentAttempt,
  send: (request: ThreadRequest) => void,
): ThreadAttempt {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  let isClosed = false;
  const post = (request: ThreadRequest): void => {
    if (!isClosed) send(request);
  };
  const { once, receive, hasCalls } = makeRemoteOnce(controller.signal, post);
  const log = makeLog(post);
  const { progress, flush } = makeProgress(log, post);
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
      progress,
    },
    receive: (message) =>
      message.kind === 'abort'
        ? controller.abort(new AbortReason(message.code, message.message, message.by))
        : receive(message),
    close: () => {
      flush();
      isClosed = true;
    },
    hasCalls,
  };
}

function makeLog(post: (request: ThreadRequest) => void): HandlerLog {
  const write = (level: keyof HandlerLog) => (facts: object, message?: string) =>
    post({ kind: 'log', level, facts: encodeFacts(facts), ...(message === undefined ? {} : { message }) });
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

/** The latest value wins. While a handler that never yields goes on calling, its progress is sent as well. */
function makeProgress(
  log: HandlerLog,
  post: (request: ThreadRequest) => void,
): { progress: (value: Json) => void; flush: () => void } {
  let latest: string | null = null;
  let toldMs = -Infinity;
  let cancel: (() => void) | null = null;
  const flush = (): void => {
    cancel?.();
    cancel = null;
    if (latest === null) return;
    toldMs = systemClock.monotonicMs();
    post({ kind: 'progress', json: latest });
    latest = null;
  };
  const progress = (value: Json): void => {
    try {
      latest = encodeJson(value, (reason) => new TypeError(reason));
    } catch (error) {
      return log.warn({ error: String(error) }, 'this progress cannot be stored as JSON and is left out');
    }
    const waitMs = toldMs + PROGRESS_INTERVAL_MS - systemClock.monotonicMs();
    if (waitMs <= 0) return flush();
    cancel ??= systemClock.after(waitMs, flush);
  };
  return { progress, flush };
}
