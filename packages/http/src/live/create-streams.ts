import type { AccessWatch } from '../access/access-watch.js';
import type { Share } from '../access/share.js';
import type { ApiContext, ApiParts } from '../api.js';
import { EventStream, type EventSink, type Outgoing } from './event-stream.js';

/** A proxy must not buffer a stream, and not compress it either, because compressing buffers. */
const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/** Answers a request with events. `start` begins to fill the stream and returns what ends that; it is called once. */
export type StreamEvents = (c: ApiContext, start: (sink: EventSink) => () => void) => Response;

/**
 * Makes such answers, which throw where their principal, or all together, have as many `streams` as they may. A stream
 * ends with its source, with its client or its client's access, and when the server stops.
 */
export function createStreams(
  { isStopping }: Pick<ApiParts, 'isStopping'>,
  access: AccessWatch,
  streams: Share,
): StreamEvents {
  return (c, start) => {
    if (c.req.method === 'HEAD') return c.body(null, 200, HEADERS);
    const giveBack = streams.take(c.var.principal);
    const { outgoing } = (c.env ?? {}) as { readonly outgoing?: Outgoing };
    const { body } = new EventStream({
      start: (sink) => {
        const stops = [start(sink), access.enter(c, () => sink.end())];
        return () => stops.forEach((stop) => stop());
      },
      isStopping,
      giveBack,
      signal: c.req.raw.signal,
      outgoing: typeof outgoing?.once === 'function' ? outgoing : undefined,
    });
    return c.body(body, 200, HEADERS);
  };
}
