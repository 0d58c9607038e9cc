import { ApiError, isPassing } from '../api/api-error.js';
import { sendRequest } from '../api/send-request.js';
import { readEventStream, type StreamEvent } from './read-event-stream.js';

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 15_000;
/** The API sends a comment every 15 seconds: a connection on which nothing came for longer is dead, and does not know it. */
const SILENT_MS = 40_000;

export interface Following {
  /** Told of each event. */
  readonly onEvent: (event: StreamEvent) => void;
  /** `live`: what happens is told; `away`: the stream broke, and is asked for again; `refused`: it is not asked for again. */
  readonly onState?: (state: 'live' | 'away' | 'refused') => void;
}

/**
 * Follows a stream of the API until it has ended, or the returned function is called. A broken one is asked for again with
 * the last event that was seen. While the tab is hidden nothing is followed: what was missed comes when it is seen again.
 */
export function followEvents(path: string, { onEvent, onState }: Following): () => void {
  let isOver = false;
  let lastId: string | undefined;
  let current: AbortController | undefined;
  let waitMs = FIRST_WAIT_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function follow(signal: AbortSignal, hear: () => void): Promise<'ended' | 'broken'> {
    const response = await sendRequest({
      method: 'GET',
      path,
      signal,
      headers: { Accept: 'text/event-stream', ...(lastId === undefined ? {} : { 'Last-Event-ID': lastId }) },
    });
    if (response.status === 204 || response.body === null) return 'ended';
    for await (const event of readEventStream(response.body, hear)) {
      waitMs = FIRST_WAIT_MS;
      lastId = event.id;
      onEvent(event);
    }
    return 'broken';
  }

  function start(): void {
    if (isOver || document.hidden || current !== undefined) return;
    const controller = new AbortController();
    current = controller;
    let silence: ReturnType<typeof setTimeout> | undefined;
    const hear = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => controller.abort(), SILENT_MS);
      onState?.('live');
    };
    follow(controller.signal, hear)
      // what breaks in the midst is no answer of the API
      .catch((error: unknown) => (error instanceof ApiError && !isPassing(error) ? 'refused' : 'broken'))
      .then(
        (end) => {
          clearTimeout(silence);
          if (current === controller) current = undefined;
          if (isOver) return;
          if (end !== 'broken') isOver = true;
          if (end === 'refused') onState?.('refused');
          if (isOver || document.hidden) return;
          onState?.('away');
          timer = setTimeout(start, waitMs);
          waitMs = Math.min(MAX_WAIT_MS, waitMs * 2);
        },
        () => {},
      );
  }

  function onVisibility(): void {
    clearTimeout(timer);
    if (document.hidden) current?.abort();
    else start();
  }

  document.addEventListener('visibilitychange', onVisibility);
  start();
  return () => {
    isOver = true;
    clearTimeout(timer);
    current?.abort();
    document.removeEventListener('visibilitychange', onVisibility);
  };
}
