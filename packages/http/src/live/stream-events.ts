/** One event of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface StreamEvent {
  readonly event: string;
  /** What a client sends back as `Last-Event-ID` when it comes again. */
  readonly id: string;
  readonly data: unknown;
}

/** The two ways in which a source fills its stream. */
export interface EventSink {
  send(event: StreamEvent): void;
  /** Nothing follows. */
  end(): void;
}

/** A proxy closes a connection on which nothing is sent. */
const COMMENT_EVERY_MS = 15_000;
const LOOK_EVERY_MS = 500;
/** A client that has not read so many events is cut off; it comes again, and says what it has seen. */
const MAX_UNREAD = 1_000;
const encoder = new TextEncoder();

/**
 * The answer that tells events as they come. `start` begins to fill it and returns what ends that; it is called once, when
 * the stream ends, the client is gone, or the server stops.
 */
export function streamEvents(start: (sink: EventSink) => () => void, isStopping: () => boolean): Response {
  let close = (): void => {};
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let quietMs = 0;
        let isOver = false;
        let stop = (): void => {};
        close = () => {
          if (isOver) return;
          isOver = true;
          clearInterval(timer);
          stop();
          controller.close();
        };
        const write = (text: string): void => {
          quietMs = 0;
          if (isOver) return;
          controller.enqueue(encoder.encode(text));
          if ((controller.desiredSize ?? 0) < -MAX_UNREAD) close();
        };
        const timer = setInterval(() => {
          quietMs += LOOK_EVERY_MS;
          if (isStopping()) close();
          else if (quietMs >= COMMENT_EVERY_MS) write(': still here\n\n');
        }, LOOK_EVERY_MS);
        write('retry: 1000\n\n');
        stop = start({ send: (event) => write(format(event)), end: close });
        if (isOver) stop();
      },
      cancel: () => close(),
    },
    { highWaterMark: 1 },
  );
  return new Response(stream, { headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } });
}

/** JSON has no line breaks, so that its data is one line. */
function format({ event, id, data }: StreamEvent): string {
  return `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
}
