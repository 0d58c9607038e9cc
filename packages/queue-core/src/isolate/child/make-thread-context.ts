import { systemClock } from '../../clock.js';
import { encodeJson } from '../../encode-payload.js';
import { AbortReason } from '../../engine/abort-reason.js';
import type { HandlerLog } from '../../handler.js';
import type { Json } from '../../job.js';
import type { IsolatedContext } from '../isolated.js';
import { encodeFacts } from '../wire/encode-facts.js';
import type { StartMessage, ThreadRequest, ToThread } from '../wire/messages.js';
import { makeRemoteOnce } from './make-remote-once.js';

/** The worker writes progress once a second at most, so there is no use in telling it more often than that by far. */
const PROGRESS_INTERVAL_MS = 250;

/** The handler's context in its thread: what needs the database or the log is asked of the worker. */
export function makeThreadContext(
  start: StartMessage,
  post: (request: ThreadRequest) => void,
): { context: IsolatedContext; receive: (message: ToThread) => void } {
  const controller = new AbortController();
  const { once, receive } = makeRemoteOnce(controller.signal, post);
  const log = makeLog(post);
  const { run, payload } = start;
  return {
    context: {
      payload,
      run,
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

/** The latest value wins. A handler that never yields gets its progress told as well, while it goes on calling. */
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
