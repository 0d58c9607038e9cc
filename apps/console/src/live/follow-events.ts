import { isPassing } from '../api/api-error.js';
import { sendRequest } from '../api/send-request.js';
import { readEventStream, type StreamEvent } from './read-event-stream.js';

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 15_000;

export interface Following {
  /** Told of each event. */
  readonly onEvent: (event: StreamEvent) => void;
  /** `live`: events arrive; `away`: the stream broke, and is asked for again. */
  readonly onState?: (state: 'live' | 'away') => void;
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

  async function follow(signal: AbortSignal): Promise<'ended' | 'broken'> {
    const response = await sendRequest({
      method: 'GET',
      path,
      signal,
      headers: { Accept: 'text/event-stream', ...(lastId === undefined ? {} : { 'Last-Event-ID': lastId }) },
    });
    if (response.status === 204 || response.body === null) return 'ended';
    onState?.('live');
    for await (const event of readEventStream(response.body)) {
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
    follow(controller.signal)
      .catch((error: unknown) => (isPassing(error) || controller.signal.aborted ? 'broken' : 'ended'))
      .then(
        (end) => {
          if (current === controller) current = undefined;
          if (end === 'ended') isOver = true;
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
