/** One event of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface StreamEvent {
  readonly event: string;
  /** What a client sends back as `Last-Event-ID` when it comes again. */
  readonly id: string;
  readonly data: unknown;
}

const encoder = new TextEncoder();

/** JSON has no line breaks, so that its data is one line. */
export function encodeEvent(
  { event, id, data }: StreamEvent,
  write = JSON.stringify as (data: unknown) => string,
): Uint8Array {
  return encoder.encode(`event: ${event}\nid: ${id}\ndata: ${write(data)}\n\n`);
}
