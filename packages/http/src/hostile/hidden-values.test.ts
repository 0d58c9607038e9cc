import { SCOPES } from '@duework/operate';
import { emptyTables, useTestDatabase } from '@duework/testing/fixtures';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ACCESS_REQUESTS } from '../testing/access/access-requests.js';
import { type ApiDocument, type DescribedRoute, describedRoutes } from '../testing/access/described-routes.js';
import { type Asker, askerWith, MarkedApi } from '../testing/access/marked-api.js';
import { ERROR_TEXT, MARK } from '../testing/access/marked-queue.js';
import { type TextField, textFields } from '../testing/access/text-fields.js';

const database = useTestDatabase();
let api: MarkedApi;
let document: ApiDocument;
let routes: DescribedRoute[];
beforeAll(async () => {
  api = new MarkedApi(database.db);
  await api.queue.prepare();
  document = await api.readDocument();
  routes = describedRoutes(document);
});

/** A value of a payload that is there, and one that nobody has. */
const VALUES = [MARK, 'Acme-773191'] as const;
const NOBODY = '4000000000000000000';

/** The ways in which a text could lead to a value. */
function formsOf(field: TextField): readonly ((value: string) => string)[] {
  const name = field.in === 'body' ? field.path.at(-1)! : field.name;
  const plain = [(value: string) => value, (value: string) => `limit/pay.account/${value}`];
  if (field.in === 'path') return [...plain, (value) => `pay.account/${value}`, (value) => `default/${value}`];
  if (name !== 'filter') return plain;
  const terms = ['payload.account:', '-payload.account:', 'tenant:', 'gate:tenant/default/', 'key:', 'error:', 'code:'];
  return terms.map((term) => (value) => `type:pay ${term}${value}`);
}

/** A request of a route with a text in one of its fields. */
async function withText(route: DescribedRoute, field: TextField, text: string, asker: Asker): Promise<string> {
  const [request] = ACCESS_REQUESTS[route.operationId]!;
  const params = (await request!.params?.(api.queue, 'pay')) ?? {};
  const given = field.in === 'path' ? { ...params, [field.name]: text } : params;
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given[name]!));
  const query = field.in === 'query' ? { ...request!.query, [field.name]: text } : request!.query;
  const body = request!.body?.('pay');
  const sent = field.in === 'body' ? put(body ?? {}, field.path, text) : body;
  const told = await api.send(route.method, path, asker, query, sent);
  return `${told.status} ${told.text}`.replaceAll(text, '…').replaceAll(JSON.stringify(text).slice(1, -1), '…');
}

function put(body: unknown, [name, ...rest]: readonly string[], text: string): unknown {
  if (name === undefined) return text;
  if (Array.isArray(body)) return body.map((item, at) => (String(at) === name ? put(item, rest, text) : item));
  const below = typeof body === 'object' && body !== null ? body : {};
  return { ...below, [name]: put((below as Record<string, unknown>)[name], rest, text) };
}

/** Without what no two answers have in common. */
const plain = (text: string, value: string): string =>
  text
    .replaceAll(value, '…')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '#')
    .replaceAll(/[\w-]{40,}/g, '#')
    // a key is closed for a millisecond, which may be over when it is told
    .replaceAll(/"closedUntil":("[^"]*"|null)/g, '#')
    // revisions, and ids of keys
    .replaceAll(/^id: \S+|"id":"[a-z0-9]{12}"/gm, '#')
    .replaceAll(/\d+(\.\d+)?/g, '#');

test('no route tells a text of an error, or a value of a payload, to who may not read payloads', async () => {
  await api.queue.job('pay', 'dead');
  const tellErrors = new Set<string>();
  const tellTooMuch: string[] = [];
  const ends = routes.find(({ operationId }) => operationId === 'listEndedJobs')!;
  const [feed] = ACCESS_REQUESTS['listEndedJobs']!;
  // what else runs in this server holds the feed back for a moment
  for (let text = ''; !text.includes(ERROR_TEXT);) ({ text } = await api.ask(ends, feed!, askerWith(...SCOPES), 'pay'));
  for (const route of routes)
    for (const request of ACCESS_REQUESTS[route.operationId]!) {
      const whole = await api.ask(route, request, askerWith(...SCOPES), 'pay');
      if (whole.text.includes(ERROR_TEXT)) tellErrors.add(route.operationId);
      const { text } = await api.ask(route, request, askerWith(route.scope), 'pay');
      if (text.includes(ERROR_TEXT) || text.includes(MARK)) tellTooMuch.push(`${route.operationId}: ${text}`);
    }
  expect(tellTooMuch).toEqual([]);
  expect([...tellErrors].toSorted()).toEqual([
    'acknowledgeJob',
    'cancelJob',
    'explainJob',
    'followJobs',
    'getJob',
    'listEndedJobs',
    'listFailures',
    'listJobs',
    'listSteps',
    'retryJob',
    'updateJob',
  ]);
});

describe('whatever text is put wherever a request has one', () => {
  test('who may not read payloads is answered the same for a value that is there and for one that is not', async () => {
    const different: string[] = [];
    let asked = 0;
    for (const route of routes)
      for (const field of textFields(document, route))
        for (const form of formsOf(field)) {
          const answers: string[] = [];
          for (const value of VALUES) {
            // what the asker has written there before is in every later answer
            await emptyTables(database.db, 'alert_silences');
            answers.push(plain(await withText(route, field, form(value), askerWith(route.scope)), value));
          }
          asked++;
          if (answers[0] !== answers[1])
            different.push([route.operationId, JSON.stringify(field), ...answers].join('\n'));
        }
    expect(different).toEqual([]);
    expect(asked).toBeGreaterThan(200);
  });

  test('who is for another type is answered the same for a job that is there and for one that is not', async () => {
    const asker = { scopes: [...SCOPES], types: ['mail'] };
    const different: string[] = [];
    for (const route of routes)
      for (const field of textFields(document, route))
        for (const form of ['', 'id:', 'parent:', 'batch:']) {
          if (form !== '' && !JSON.stringify(field).includes('filter')) continue;
          const answers: string[] = [];
          for (const id of [form === 'batch:' ? await api.queue.batch('pay') : await api.queue.job('pay'), NOBODY])
            answers.push(plain(await withText(route, field, form + id, asker), id));
          if (answers[0] !== answers[1])
            different.push([route.operationId, JSON.stringify(field), ...answers].join('\n'));
        }
    expect(different).toEqual([]);
  });
});
