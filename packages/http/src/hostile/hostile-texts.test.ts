import { createServer as createHttpServer, request, type Server } from 'node:http';
import { defineCatalog, defineJob, defineSignal } from '@duework/contracts';
import { createKey } from '@duework/operate';
import { ensurePartitions } from '@duework/queue-core';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { HTTP_ERRORS, type HttpErrorCode } from '../http-errors.js';
import { toNodeListener } from '../mount/to-node-listener.js';
import { textPlaces, type FilledRequest, type KnownTexts } from '../testing/text-places.js';
import { useTestApi, type AnyJson } from '../testing/use-test-api.js';
import { useTestShards } from '../testing/use-test-shards.js';

const letter = defineJob({
  type: 'letter',
  queue: 'post',
  payload: z.object({ to: z.string(), lines: z.array(z.string()).optional(), more: z.record(z.string(), z.unknown()).optional() }),
});
const paid = defineSignal({ name: 'paid', by: ['orderId'], payload: z.object({ orderId: z.string() }) });
const catalog = defineCatalog([letter]);
const api = useTestApi(() => ({ catalog, signals: [paid] }));

interface Told {
  readonly status: number;
  readonly text: string;
}

function send(origin: string, method: string, { address, headers, body }: FilledRequest): Promise<Told> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const sent = request({ hostname, port, method, path: address, headers, agent: false }, (response) => {
      const isStream = response.headers['content-type']?.startsWith('text/event-stream') ?? false;
      let text = '';
      const end = () => (resolve({ status: response.statusCode!, text }), sent.destroy());
      if (isStream) return end();
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk)).on('end', end);
    });
    sent.on('error', reject).end(body ?? undefined);
  });
}

const long = Array.from({ length: 2_000 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000))).join('');
const TEXTS = ['\0', 'a\0b', '\u00001e9', '\ud800', 'a\udc00', '%ff', '%ed%a0%80', '%', '..', 'x\\..\\paid', 'a/b', 'a%2Fb', '?#&', 'a\nb', '\u202ea', '😀', long, '__proto__', '', '{}', 'post'];

test('p', async () => {
  await ensurePartitions(api.db, 1);
  const document = (await api.get('/openapi.json')).body;
  const known = { type: 'letter', payload: { to: 'ana' }, name: 'mine', queue: 'post' };
  const places = textPlaces(document, known);
  console.log(places.length);
  const started = performance.now();
  const todo = places.flatMap((place) => TEXTS.map((text) => ({ place, text })));
  const bad: string[] = [];
  let sentCount = 0;
  const counts: Record<string, number> = {};
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
        const filled = next.place.fill(next.text);
        if (filled === null) continue;
        sentCount++;
        const told = await send(api.url, next.place.method, filled).catch((error) => ({ status: 999, text: String(error) }));
        counts[told.status] = (counts[told.status] ?? 0) + 1;
        if (told.status >= 500) bad.push(`${next.place.method} ${next.place.path} ${next.place.name} ${JSON.stringify(next.text).slice(0, 50)}: ${told.status} ${told.text.slice(0, 200)}`);
      }
    }),
  );
  console.log(sentCount, performance.now() - started, counts, bad.length, bad.slice(0, 80).join('\n'));
  console.log(api.logged.filter(({ msg }) => msg === 'request.failed').slice(0, 20).map((x) => JSON.stringify(x).slice(0, 1200)).join('\n'));
}, 300_000);
