import { expect, test } from '@jest/globals';
import { readEventStream } from './read-event-stream.js';

/** The events of a text that arrives in pieces of `size` bytes. */
async function read(text: string, size: number): Promise<unknown[]> {
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
  const events = [];
  for await (const event of readEventStream(body)) events.push(event);
  return events;
}

test.each([1, 7, 1_000])(
  'events that arrive in pieces of %d bytes are read whole, comments are not events',
  async (size) => {
    const text =
      'retry: 1000\n\nevent: job\nid: 1\ndata: {"a":"ä: b"}\n\n: still here\n\ndata: one\ndata: two\n\ndata: cut off';
    expect(await read(text, size)).toEqual([
      { event: 'job', id: '1', data: '{"a":"ä: b"}' },
      { event: 'message', id: '1', data: 'one\ntwo' },
    ]);
  },
);
