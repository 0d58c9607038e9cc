import type { AccessWatch } from '../access/access-watch.js';
import type { Share } from '../access/share.js';
import type { ApiContext, ApiParts } from '../api.js';
import { encodeEvent, type StreamEvent } from './encode-event.js';

/** The ways in which a source fills its stream. */
export interface EventSink {
  send(event: StreamEvent): void;
  /** An event that many are sent, as `encodeEvent` returned it. */
  sendEncoded(event: Uint8Array): void;
  /** Nothing follows. */
  end(): void;
}

/** A proxy closes a connection on which nothing is sent. */
const COMMENT_EVERY_MS = 15_000;
const LOOK_EVERY_MS = 500;
/** A client that has not read so much is cut off; it comes again, and says what it has seen. */
const MAX_PENDING_BYTES = 1_000_000;
const COMMENT = new TextEncoder().encode(': still here\n\n');
/** How soon a client comes again. */
const RETRY = new TextEncoder().encode('retry: 1000\n\n');

/** A proxy must not buffer a stream, and not compress it either, because compressing buffers. */
const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/** Answers a request with events. `start` begins to fill the stream and returns what ends that; it is called once. */
export type StreamEvents = (c: ApiContext, start: (sink: EventSink) => () => void) => Response;

/**
 * Makes such answers, which throw where their principal, or all together, have as many `streams` as they may. A stream ends with its source, with its client or its client's access, and when the server stops.
 */
export function createStreams(
  { isStopping }: Pick<ApiParts, 'isStopping'>,
  access: AccessWatch,
  streams: Share,
): StreamEvents {
  return (c, start) => {
    if (c.req.method === 'HEAD') return c.body(null, 200, HEADERS);
    const giveBack = streams.take(c.var.principal);
    let close = (_isGone: boolean): void => {};
    const stream = new ReadableStream<Uint8Array>(
      {
        start(controller) {
          close = fill(controller, isStopping, (sink) => {
            const stops = [start(sink), access.enter(c, sink.end), giveBack];
            return () => stops.forEach((stop) => stop());
          });
        },
        cancel: () => close(true),
      },
      { highWaterMark: 1, size: (bytes) => bytes.byteLength },
    );
    return c.body(stream, 200, HEADERS);
  };
}

/** Returns what ends the stream, which is over already where its client is gone. */
function fill(
  controller: ReadableStreamDefaultController<Uint8Array>,
  isStopping: () => boolean,
  start: (sink: EventSink) => () => void,
): (isGone: boolean) => void {
  let quietMs = 0;
  let isOver = false;
  let stop = (): void => {};
  const close = (isGone = false): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(timer);
    stop();
    if (!isGone) controller.close();
  };
  const write = (bytes: Uint8Array): void => {
    quietMs = 0;
    if (isOver) return;
    if ((controller.desiredSize ?? 0) < -MAX_PENDING_BYTES) return close();
    controller.enqueue(bytes);
  };
  const timer = setInterval(() => {
    quietMs += LOOK_EVERY_MS;
    if (isStopping()) close();
    else if (quietMs >= COMMENT_EVERY_MS) write(COMMENT);
  }, LOOK_EVERY_MS);
  write(RETRY);
  stop = start({ send: (event) => write(encodeEvent(event)), sendEncoded: write, end: () => close() });
  // its source has ended it at once
  if (isOver) stop();
  return close;
}
