import { Hono } from 'hono';
import { expect, test } from '@jest/globals';
import { AccessWatch } from '../access/access-watch.js';
import type { ApiEnv } from '../api.js';
import { SCOPES } from '../access/principal.js';
import { Share } from '../access/share.js';
import { createStreams } from './create-streams.js';
import type { EventSink } from './event-stream.js';

const principal = { id: 'local', name: 'local', kind: 'local', scopes: SCOPES, types: null, from: null } as const;

/** Opens a stream without a server: it is read by the test alone. */
async function open(
  isStopping = () => false,
  signal = new AbortController().signal,
): Promise<{ body: ReadableStream; sink: EventSink; isStopped: () => boolean; streams: { held: number } }> {
  const access = new AccessWatch({ authorize: async () => principal });
  const streams = { held: 0 };
  const share = new Share(4, 'streams', (held) => (streams.held = held));
  const streamEvents = createStreams({ isStopping }, access, share);
  let sink: EventSink | undefined;
  let stopped = false;
  const app = new Hono<ApiEnv>();
  app.get('/', (c) => {
    c.set('principal', principal);
    return streamEvents(c, (given) => ((sink = given), () => void (stopped = true)));
  });
  const { body } = await app.request('/', { signal });
  return { body: body!, sink: sink!, isStopped: () => stopped, streams };
}

const event = { event: 'page', id: '1', data: 'x'.repeat(1_000) };

test('a client that does not read what it is sent is cut off, and keeps nothing but its place until it is gone', async () => {
  const gone = new AbortController();
  const { body, sink, isStopped, streams } = await open(() => false, gone.signal);
  let sent = 0;
  for (; !isStopped() && sent < 5_000; sent++) sink.send(event);
  expect(isStopped()).toBe(true);
  expect(sent).toBeLessThan(1_100);
  await expect(new Response(body).text()).rejects.toThrow('does not read');
  expect(streams.held).toBe(1);
  gone.abort();
  expect(streams.held).toBe(0);
});

test('a client that reads is sent as much as there is', async () => {
  const { body, sink, isStopped } = await open();
  const reader = body.getReader();
  await reader.read();
  for (let sent = 0; sent < 5_000; sent++) {
    sink.send(event);
    await reader.read();
  }
  expect(isStopped()).toBe(false);
  await reader.cancel();
  expect(isStopped()).toBe(true);
});

test('a stream ends when its server stops', async () => {
  let isStopping = false;
  const { body, isStopped } = await open(() => isStopping);
  isStopping = true;
  expect(await new Response(body).text()).toBe('retry: 1000\n\n');
  expect(isStopped()).toBe(true);
});
