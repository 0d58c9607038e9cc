import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defineCatalog, defineJob, defineSignal } from '@duework/contracts';
import { ensurePartitions } from '@duework/queue-core';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { HTTP_ERRORS, type HttpErrorCode } from '../http-errors.js';
import { toNodeListener } from '../mount/to-node-listener.js';
import { sendText, type ToldText } from '../testing/send-text.js';
import { textPlaces, type KnownTexts, type TextPlace } from '../testing/text-places.js';
import { useTestApi, type AnyJson } from '../testing/use-test-api.js';
import { useTestShards } from '../testing/use-test-shards.js';

const letter = defineJob({
  type: 'letter',
  queue: 'post',
  payload: z.object({ to: z.string(), more: z.record(z.string(), z.unknown()).optional() }),
});
const paid = defineSignal({ name: 'paid', by: ['orderId'], payload: z.object({ orderId: z.string() }) });
const catalog = defineCatalog([letter]);
const one = useTestApi(() => ({ catalog, signals: [paid] }));
const logged: unknown[] = [];
const several = useTestShards(['a', 'b'], (options) => ({
  ...options,
  catalog,
  signals: [paid],
  log: { debug() {}, info() {}, warn() {}, error: (facts: object) => void logged.push(facts) },
  // it reads what no contract has checked, as that of the documentation does
  shardOf: (_contract: object, { to, orderId }: Record<string, string>) =>
    (to ?? orderId)!.startsWith('b') ? 'b' : 'a',
}));
let server: Server;
let shardsUrl = '';
beforeAll(async () => {
  await ensurePartitions(one.db, 1);
  for (const name of ['a', 'b']) await ensurePartitions(several.db(name), 1);
  server = createHttpServer(toNodeListener(several.handler) as never);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  shardsUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => (server.closeAllConnections(), new Promise((resolve) => server.close(resolve))));

/** More characters than any name may have, which no compression makes fewer. */
const LONG = Array.from({ length: 8_000 }, (_, n) => String.fromCharCode(0x4e00 + ((n * 7_919) % 20_000))).join('');
const COMMON = ['\0', '\u00001e9', 'a\n\u202eb😀', '__proto__'];
/** What is no UTF-8, and what has a meaning in an address. */
const IN_PATHS = [...COMMON, '%ff', '%ed%a0%80', '..', 'a/b', 'a%2Fb', 'x\\..\\paid', '?#&', LONG.slice(0, 1_500)];
const IN_QUERIES = [...COMMON, '%ff', '', LONG.slice(0, 1_500)];
const IN_BODIES = [...COMMON, '\ud800', 'a\udc00b', '', LONG];
const IN_HEADERS = ['', '\xff', '__proto__', 'x'.repeat(8_000)];

function textsFor({ name }: TextPlace): readonly string[] {
  if (name.startsWith('path')) return IN_PATHS;
  if (name.startsWith('query')) return name === 'query' ? ['\0', '%ff'] : IN_QUERIES;
  return name.startsWith('header') ? IN_HEADERS : IN_BODIES;
}

/** As a client does: a shard that takes longer than a second to answer counts as away, and a busy machine may be slower. */
async function sendAgain(...request: Parameters<typeof sendText>): Promise<ToldText> {
  for (let again = 60; ; again--) {
    const told = await sendText(...request);
    const isSlow = request[0] === shardsUrl && ['database_away', 'not_ready'].includes(told.body?.code);
    if (!isSlow || again === 0) return told;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Makes what routes are asked about. */
async function seed(url: string): Promise<KnownTexts> {
  const post = async (address: string, body: object, method = 'POST'): Promise<AnyJson> => {
    const headers = { 'Content-Type': 'application/json' };
    const told = await sendAgain(url, method, { address, headers, body: JSON.stringify(body) });
    expect(told.status).toBeLessThan(300);
    return told.body;
  };
  const payload = { to: 'ana' };
  const job = await post('/v1/jobs', { type: 'letter', payload, delaySeconds: 86_400 });
  const batch = await post('/v1/batches', { name: 'mine', jobs: [{ type: 'letter', payload, delaySeconds: 86_400 }] });
  await post('/v1/schedules/mine', { type: 'letter', payload, every: '1d' }, 'PUT');
  await post('/v1/api-keys', { name: 'mine', scopes: ['read'] });
  return {
    ...{ 'jobs id': job.id, 'batches id': batch.id },
    ...{ type: 'letter', queue: 'post', payload, key: 'mine', name: 'paid', every: '1d', kind: 'limit' },
  };
}

/** Sends each text to each place, a few at once. */
async function sendAll(
  url: string,
  places: readonly TextPlace[],
  check: (place: TextPlace, text: string, told: ToldText) => void,
): Promise<void> {
  const left = places.flatMap((place) => textsFor(place).map((text) => ({ place, text })));
  const send = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      check(next.place, next.text, await sendAgain(url, next.place.method, next.place.fill(next.text)));
    }
  };
  await Promise.all(Array.from({ length: 8 }, send));
}

function checkAnswer(place: TextPlace, text: string, { status, body }: ToldText): string[] {
  const { method, path, name } = place;
  const found: string[] = [];
  const problem = body as { code?: HttpErrorCode; detail?: string } | null;
  if (status >= 500) found.push(`it answers ${status}: ${problem?.code}: ${problem?.detail}`);
  if (status >= 400 && HTTP_ERRORS[problem?.code ?? 'internal_error'].status !== status)
    found.push(`its code is ${problem?.code}`);
  // dots are resolved before a server sees them; an answer without the name says that there is nothing
  const isNamed = name.startsWith('path ') && text !== '..' && !path.startsWith('/console/');
  if (isNamed && status < 400 && !hasText(body, text) && body?.pause !== null && body?.looked !== 0)
    found.push(`it answers about something else: ${JSON.stringify(body)}`);
  return found.map((fault) => `${method} ${path}, ${name} ${JSON.stringify(text.slice(0, 20))}: ${fault}`);
}

function hasText(value: AnyJson, text: string): boolean {
  if (value === text) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some((inner) => hasText(inner, text));
}

async function findFaults(url: string, isAsked: (place: TextPlace) => boolean): Promise<readonly string[]> {
  const known = await seed(url);
  const { body: document } = await sendText(url, 'GET', { address: '/openapi.json', headers: {}, body: null });
  const places = textPlaces(document, known).filter(isAsked);
  expect(places.length).toBeGreaterThan(200);
  const found: string[] = [];
  await sendAll(url, places, (place, text, told) => void found.push(...checkAnswer(place, text, told)));
  return found;
}

test('no text in any place of the document is an internal error, or leads to something else', async () => {
  expect(await findFaults(one.url, () => true)).toEqual([]);
  expect(one.logged.filter(({ msg }) => msg === 'request.failed')).toEqual([]);
});

test('nor does it over shards', async () => {
  // most bodies go to a shard as they came
  const isRead = /^\/v1\/(jobs|jobs\/batch|signals\/\{name\}|bulk-actions)$/;
  expect(await findFaults(shardsUrl, ({ path, name }) => !name.startsWith('body') || isRead.test(path))).toEqual([]);
  expect(logged).toEqual([]);
});
