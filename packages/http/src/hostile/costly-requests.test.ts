import { Prisma } from '@duework/database';
import { createKey, SCOPES } from '@duework/operate';
import { openQueue, type Queryable } from '@duework/queue-core';
import { recogniseClient, type Statement } from '@duework/sql';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { authorizeByKey } from '../access/authorize/authorize-by-key.js';
import type { Route } from '../api.js';
import { createRoutes } from '../create-routes.js';
import { ask, useTestApi } from '../testing/use-test-api.js';

/** What is sent through the client of the routes; that of keys and of the queue is another one. */
let sent: string[] = [];
function recorded(db: Queryable): Queryable {
  const client = recogniseClient(db);
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name !== '$queryRaw') return typeof value === 'function' ? value.bind(target) : value;
      return (statement: Statement) => (sent.push(statement.text), target.$queryRaw(statement));
    },
  });
}

let routes: readonly Route[] = [];
const api = useTestApi((parts) => {
  routes = createRoutes(parts, () => ({}));
  return { db: recorded(parts.db) as never, queue: openQueue(parts.db), authorize: authorizeByKey(parts.db) };
});
const keys: Record<string, Record<string, string>> = {};
let job = '';

/** Beside 25,000 jobs that wait, of which a fifth has failed, and as many that are dead. */
beforeAll(async () => {
  const run = (statement: string) => api.db.$executeRaw(Prisma.raw(statement));
  const payload = `jsonb_build_object('orderId', n, 'text', repeat(md5(n::text), 20))`;
  const error = `repeat('connect refused to host-' || n || ' at 127.0.0.1:25; ', 20)`;
  await run(`
    INSERT INTO duework.job_runs (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence, created_at,
      claimed_at, failed_at, error_code, last_error)
    SELECT duework.first_id_today(0) + n, 'default', 'send_invoice', 1, CASE n % 5 WHEN 0 THEN 'failed' ELSE 'queued' END, 5, now() + n * interval '1 s',
      ${payload}, CASE n % 5 WHEN 0 THEN 1 ELSE 0 END, 9, 1, now(), CASE n % 5 WHEN 0 THEN now() END,
      CASE n % 5 WHEN 0 THEN now() END, CASE n % 5 WHEN 0 THEN 'boom' END, CASE n % 5 WHEN 0 THEN ${error} END
    FROM generate_series(1, 25000) AS n`);
  await run(`
    INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence, worker, claimed_at,
      failed_at, error_code, last_error, created_at, finished_at, is_late)
    SELECT duework.first_id_today(0) + 100000 + n, 'default', 'send_invoice', 1, 'dead', 5, now(), ${payload}, 1, 9, 1, 'w', now(), now(), 'boom', ${error},
      now(), now(), false
    FROM generate_series(1, 25000) AS n`);
  const [row] = await api.db.$queryRaw<[{ id: string }]>`SELECT max(id)::text AS id FROM duework.job_runs`;
  job = row.id;
  const make = async (name: string, options: object): Promise<void> => {
    const { text } = await createKey(api.db, { name, scopes: SCOPES, ...options });
    keys[name] = { Authorization: `Bearer ${text}`, 'Content-Type': 'application/json' };
  };
  await make('all', {});
  await make('read', { scopes: ['read'] });
  await make('narrow', { scopes: ['enqueue', 'read', 'payloads'], types: ['send_invoice'] });
});

const list = (many: number, write: (n: number) => string): string =>
  Array.from({ length: many }, (_, n) => write(n)).join(',');
const terms = (many: number, write: (n: number) => string): string =>
  Array.from({ length: many }, (_, n) => write(n)).join(' ');
/** The filters that cost the most by each field. */
const FILTERS = {
  '34 words': `error:${list(34, (n) => `w${n}`)}`,
  '100 words': `error:${list(100, (n) => `word${n}x`)}`,
  'none of 100 words': `-error:${list(100, (n) => `word${n}x`)}`,
  '100 long texts': `-error:${list(100, (n) => `"${`${n}`.padEnd(33, 'connect refused to')}"`)}`,
  '20 terms of words': terms(20, (n) => `-error:${list(10, (m) => `w${n}x${m}`)}`),
  '20 terms of fields': terms(20, (n) => `-payload.f${n}:${list(10, String)}`),
  'a deep field': `payload${'.a'.repeat(900)}:1`,
  'dead by words': `status:dead error:${list(100, () => 'connect')}`,
  'dead by fields': `status:dead payload.orderId:${list(100, (n) => `${n}`)}`,
  'nothing at all': 'worker:nobody',
  ids: `id:${list(100, String)}`,
  gates: `gate:${list(100, (n) => `limit/x/${n}`)}`,
  tenants: `tenant:${list(100, String)} held:any`,
} as const;
const OF_READ = Object.keys(FILTERS).filter((name) => !/field|gates|tenants/.test(name));

/** Not a promise of speed: the limit tells an answer from what somebody waits for. */
const SLOW_MS = 5_000;

interface Asked {
  readonly name: string;
  readonly path: string;
  readonly key: string;
  readonly body?: object;
}

/** What took too long, or failed: nothing. */
async function slowOf(requests: readonly Asked[]): Promise<string[]> {
  const slow: string[] = [];
  for (const { name, path, key, body } of requests) {
    const startedMs = performance.now();
    const how = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const { status } = await ask(api.url + path, { headers: keys[key]!, ...how });
    const tookMs = Math.round(performance.now() - startedMs);
    if (process.env['DUEWORK_SHOW_COSTS'] !== undefined)
      process.stdout.write(`${tookMs} ms ${status} ${key} ${name}\n`);
    if (tookMs > SLOW_MS || status >= 500) slow.push(`${name}: ${status} after ${tookMs} ms`);
  }
  return slow;
}

describe('beside 50,000 jobs', () => {
  test('no filter makes a page, a count or a preview that somebody has to wait for', async () => {
    const asked = Object.entries(FILTERS).flatMap(([name, filter]): Asked[] => {
      const query = `filter=${encodeURIComponent(filter)}`;
      return [
        ...['/v1/jobs', '/v1/jobs/count'].flatMap((path) =>
          (OF_READ.includes(name) ? ['read', 'narrow'] : ['narrow']).map((key) => ({
            name: `${path} by ${name}`,
            path: `${path}?limit=200&${query}`.replace(/count\?limit=200&/, 'count?'),
            key,
          })),
        ),
        { name: `preview of ${name}`, path: '/v1/bulk-actions/preview', key: 'all', body: { verb: 'cancel', filter } },
      ];
    });
    expect(await slowOf(asked)).toEqual([]);
  });

  test('no other read is one that somebody has to wait for, and each of its statements is limited', async () => {
    const ago = new Date(Date.now() - 30 * 86_400_000).toISOString();
    const costly: Readonly<Record<string, readonly string[]>> = {
      limit: ['1000', '200', '100'],
      since: [ago],
      from: [ago],
      range: ['7d', '24h'],
      step: ['1m', 'whole'],
      dueTimes: ['20'],
    };
    const reads = routes.filter(({ doc }) => doc.method === 'get' && !doc.path.endsWith('/events'));
    expect(reads.length).toBeGreaterThan(40);
    const unlimited: string[] = [];
    for (const { doc } of reads) {
      const path = doc.path.replaceAll('{id}', job).replaceAll(/\{\w+\}/g, 'send_invoice');
      const queries = (doc.parameters ?? []).flatMap((parameter) =>
        'in' in parameter && parameter.in === 'query'
          ? (costly[parameter.name] ?? []).map((value) => `?${parameter.name}=${encodeURIComponent(value)}`)
          : [],
      );
      for (const query of ['', ...queries]) {
        sent = [];
        const slow = await slowOf([{ name: doc.path, path: path + query, key: 'all' }]);
        // those of a server that is not all there
        expect(slow.filter((line) => !/readyz|sign-in/.test(line))).toEqual([]);
        unlimited.push(...sent.filter((text) => !text.startsWith('/* duework read')).map(() => doc.path));
      }
    }
    expect([...new Set(unlimited)].sort()).toEqual(MAY_BE_UNLIMITED);
  });
});

/** Whether the database is there; and a job by its id, for which the queue is asked. */
const MAY_BE_UNLIMITED: readonly string[] = ['/readyz'];

const MEGABYTES = 15 * 1024 * 1024;
const repeat = (text: string): string => text.repeat(Math.floor(MEGABYTES / text.length));
const names = (write: (n: number) => string): string => {
  const parts: string[] = [];
  for (let n = 0, length = 0; length < MEGABYTES; n++) length += parts.push(write(n)) && parts.at(-1)!.length;
  return parts.join('');
};

test.each([
  ['empty objects', () => `[${repeat('{},')}0]`],
  ['empty lists', () => `[${repeat('[],')}0]`],
  ['numbers', () => `[${repeat('1,')}0]`],
  ['empty texts', () => `[${repeat('"",')}0]`],
  ['one object of different names', () => `{${names((n) => `"${n.toString(36)}":1,`)}"z":1}`],
  ['objects of different names', () => `[${names((n) => `{"${n.toString(36)}":1},`)}0]`],
  ['brackets within each other', () => repeat('[')],
])('fifteen megabytes of %s are refused before they are parsed', async (_what, write) => {
  const parse = jest.spyOn(JSON, 'parse');
  try {
    const { status, text } = await ask(`${api.url}/v1/jobs/batch`, {
      method: 'POST',
      headers: keys['all']!,
      body: write(),
    });
    expect([status, text.includes('"code":"invalid_body"')]).toEqual([422, true]);
    expect(parse.mock.calls.filter(([given]) => given.length > 1_000_000)).toEqual([]);
  } finally {
    parse.mockRestore();
  }
});

test('a number of millions of digits is refused', async () => {
  const body = `{"jobs":[{"type":"send_invoice","payload":{"orderId":${'7'.repeat(MEGABYTES)}}}]}`;
  const answer = await ask(`${api.url}/v1/jobs/batch`, { method: 'POST', headers: keys['all']!, body });
  expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, '/jobs/0/payload/orderId']);
});
