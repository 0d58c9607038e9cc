import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { useTestApi } from '@duework/http/testing';
import { sendInvoice } from '@duework/shop';
import { ClientError } from './client-error.js';
import { createClient } from './create-client.js';

const api = useTestApi();
const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

/** A server between, which answers as `answer` says; undefined: it asks the API. */
async function startBetween(
  answer: (nth: number, request: IncomingMessage, response: ServerResponse) => boolean,
): Promise<{ url: string; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const server = createServer(async (request, response) => {
    seen.push(request);
    if (answer(seen.length, request, response)) return;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = 'GET', url = '/' } = request;
    const headers = { 'Content-Type': 'application/json' };
    const body = method === 'GET' ? null : Buffer.concat(chunks);
    const asked = await fetch(`${api.url}${url}`, { method, headers, body });
    response.writeHead(asked.status, { 'Content-Type': 'application/json' }).end(await asked.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const unavailable = (response: ServerResponse): true => {
  response.writeHead(503, { 'Retry-After': '0' }).end('{"code":"database_unavailable","title":"The database is away"}');
  return true;
};

test('a job is enqueued, looked up, listed, cancelled and retried with its dates as dates', async () => {
  const client = createClient({ url: api.url });
  const job = await client.enqueue(sendInvoice, { orderId: 812 }, { delaySeconds: 60, idempotencyKey: 'invoice:812' });
  expect(job).toEqual({
    id: job.id,
    type: 'send_invoice',
    status: 'queued',
    runAt: expect.any(Date),
    isDeduplicated: false,
    payloadDiffers: false,
  });
  expect(await client.enqueue(sendInvoice, { orderId: 812 }, { idempotencyKey: 'invoice:812' })).toMatchObject({
    id: job.id,
    isDeduplicated: true,
  });
  const found = await client.getJob(job.id);
  expect(found).toMatchObject({ job: { payload: { orderId: 812 }, runAt: job.runAt, finishedAt: null }, attempts: [] });
  expect(await client.getResult(sendInvoice, job.id)).toBeNull();
  const runAt = new Date('2999-01-01T00:00:00.000Z');
  expect(await client.update(job.id, { payload: { orderId: 813 }, runAt })).toMatchObject({
    payload: { orderId: 813 },
    runAt,
  });
  expect((await client.findJobs({ filter: 'type:send_invoice', limit: 5 })).jobs.map(({ id }) => id)).toContain(job.id);
  expect(await client.cancel(job.id, { reason: 'not now' })).toBe('cancelled');
  expect(await client.retry(job.id)).toMatchObject({ status: 'queued', createdAt: expect.any(Date) });
  await expect(client.freeKey(job.id)).rejects.toMatchObject({ code: 'transition_not_allowed' });
  await client.cancel(job.id);
  await expect(client.acknowledge(job.id, { reason: 'seen' })).rejects.toMatchObject({
    code: 'transition_not_allowed',
  });
  expect(await client.freeKey(job.id, { reason: 'wrong order' })).toBe(true);
  expect(await client.freeKey(job.id)).toBe(false);
});

test('a refusal is an error with the code, the status and the fields that are wrong', async () => {
  const client = createClient({ url: api.url });
  const refusal = await client.enqueue(sendInvoice, { orderId: -1 } as never).catch((error: unknown) => error);
  expect(ClientError.is(refusal, 'invalid_payload')).toBe(true);
  expect(refusal).toMatchObject({
    status: 422,
    requestId: expect.any(String),
    issues: [{ pointer: expect.stringContaining('orderId') }],
    message: expect.stringContaining(' /payload/orderId: '),
  });
  await expect(client.getJob('7')).rejects.toMatchObject({ code: 'job_not_found', status: 404 });
});

describe('a request that fails on its way', () => {
  test('is sent again when it only reads', async () => {
    const { url, seen } = await startBetween((nth, _, response) => nth <= 2 && unavailable(response));
    expect((await createClient({ url }).findJobs()).jobs).toBeInstanceOf(Array);
    expect(seen).toHaveLength(3);
  });

  test('is sent again under the same Idempotency-Key when it enqueues', async () => {
    const { url, seen } = await startBetween((nth, request) => nth === 1 && (request.socket.destroy(), true));
    await createClient({ url }).enqueue(sendInvoice, { orderId: 9 });
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]]);
  });

  test('is not sent again when it acts and has no key', async () => {
    const { url, seen } = await startBetween((_, __, response) => unavailable(response));
    await expect(createClient({ url }).retry('7')).rejects.toMatchObject({ code: 'database_unavailable' });
    expect(seen).toHaveLength(1);
  });

  test('is given up after as many tries as were asked for', async () => {
    const { url, seen } = await startBetween((_, __, response) => unavailable(response));
    await expect(createClient({ url, retries: 1 }).getJob('7')).rejects.toMatchObject({ status: 503 });
    expect(seen).toHaveLength(2);
  });

  test('has a code when nobody answers, answers late, or is no API', async () => {
    const gone = await startBetween(() => true);
    stops.splice(0).forEach((stop) => stop());
    await expect(createClient({ url: gone.url, retries: 0 }).findJobs()).rejects.toMatchObject({
      code: 'server_unreachable',
      message: `${gone.url} cannot be asked: ECONNREFUSED.`,
    });
    const silent = await startBetween(() => true);
    await expect(createClient({ url: silent.url, timeoutMs: 50, retries: 0 }).findJobs()).rejects.toMatchObject({
      code: 'request_timed_out',
      docs: 'https://github.com/duework/duework/blob/main/docs/look-up/errors.md#request_timed_out',
    });
    const other = await startBetween((_, __, response) => (response.end('<html>'), true));
    await expect(createClient({ url: other.url }).findJobs()).rejects.toMatchObject({ code: 'answer_unreadable' });
  });
});

test('a signal ends a request with its reason, also while it waits to be sent again', async () => {
  const reason = new Error('the user has left');
  const abort = new AbortController();
  const { url } = await startBetween((_, __, response) => {
    response.writeHead(503, { 'Retry-After': '60' }).end('{"code":"queue_full"}');
    setImmediate(() => abort.abort(reason));
    return true;
  });
  await expect(createClient({ url }).findJobs({}, { signal: abort.signal })).rejects.toBe(reason);
});

test('the key is sent as a bearer token, asked for before each request', async () => {
  const { url, seen } = await startBetween(() => false);
  let asked = 0;
  const client = createClient({ url: `${url}/`, key: async () => `dw_${++asked}` });
  await client.findJobs();
  await client.findJobs();
  expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer dw_1', 'Bearer dw_2']);
  expect(() => createClient({ url: 'jobs.example.org' })).toThrow('url is the address of an API');
  expect(() => createClient({ url: 'https://ana:secret@jobs.example.org' })).toThrow(
    /^url has no user and no password/,
  );
});

test('many jobs are enqueued at once, all or none, in their order', async () => {
  const client = createClient({ url: api.url });
  const jobs = await client.enqueueMany(sendInvoice, [
    { payload: { orderId: 21 }, delaySeconds: 3_600, idempotencyKey: 'many:21' },
    { payload: { orderId: 22 }, delaySeconds: 3_600, priority: 9 },
    { payload: { orderId: 21 }, idempotencyKey: 'many:21' },
  ]);
  expect(jobs.map(({ isDeduplicated, runAt }) => [isDeduplicated, runAt instanceof Date])).toEqual([
    [false, true],
    [false, true],
    [true, true],
  ]);
  expect(jobs[2]!.id).toBe(jobs[0]!.id);
  const filter = 'payload.orderId:23';
  await expect(
    client.enqueueMany(sendInvoice, [{ payload: { orderId: 23 } }, { payload: { orderId: -1 } }]),
  ).rejects.toMatchObject({ code: 'invalid_payload', issues: [{ pointer: expect.stringContaining('/jobs/1') }] });
  expect((await client.findJobs({ filter })).jobs).toEqual([]);
});

describe('a job that is followed', () => {
  test('is told now and after each change until it has finished', async () => {
    const client = createClient({ url: api.url });
    const { id } = await client.enqueue(sendInvoice, { orderId: 31 }, { delaySeconds: 60 });
    const seen: string[] = [];
    for await (const { status, runAt, finishedAt } of client.follow(id)) {
      seen.push(`${status} ${runAt instanceof Date} ${finishedAt instanceof Date}`);
      if (status === 'queued') await client.cancel(id);
    }
    expect(seen).toEqual(['queued true false', 'cancelled true true']);
    const again: string[] = [];
    for await (const { status } of client.follow(id)) again.push(status);
    expect(again).toEqual(['cancelled']);
    await expect(client.follow('7')[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'job_not_found' });
  });

  test('is followed on where the stream has broken', async () => {
    const state = (status: string, finishedAt: string | null): string =>
      JSON.stringify({ id: '5', status, runAt: '2026-01-31T09:00:00.000Z', finishedAt });
    const { url, seen } = await startBetween((nth, _, response) => {
      if (nth === 2) return unavailable(response);
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      if (nth === 1)
        response.write(`: awake\n\nid: r1\nevent: job\ndata: ${state('running', null)}\n\n`, () => response.destroy());
      else response.end(`id: 5-end\nevent: job\ndata: ${state('succeeded', '2026-01-31T09:00:01.000Z')}\n\n`);
      return true;
    });
    const statuses: string[] = [];
    for await (const { status } of createClient({ url }).follow('5')) statuses.push(status);
    expect(statuses).toEqual(['running', 'succeeded']);
    expect(seen.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'r1', 'r1']);
  });

  test('is left when the signal says so, with its reason', async () => {
    const client = createClient({ url: api.url });
    const { id } = await client.enqueue(sendInvoice, { orderId: 32 }, { delaySeconds: 60 });
    const [abort, reason] = [new AbortController(), new Error('the user has left')];
    const states = client.follow(id, { signal: abort.signal })[Symbol.asyncIterator]();
    await states.next();
    abort.abort(reason);
    await expect(states.next()).rejects.toBe(reason);
  });
});

describe('a name in an address', () => {
  const client = () => createClient({ url: api.url });
  test.each<[string, (name: string) => Promise<unknown>]>([
    ['getJob', (name) => client().getJob(name)],
    ['retry', (name) => client().retry(name)],
    ['cancel', (name) => client().cancel(name)],
    ['update', (name) => client().update(name, { priority: 1 })],
    ['acknowledge', (name) => client().acknowledge(name)],
    ['freeKey', (name) => client().freeKey(name)],
    ['follow', async (name) => client().follow(name)[Symbol.asyncIterator]().next()],
    ['flow.get', (name) => client().flow.get(`limit/${name}`)],
    ['flow.preview', (name) => client().flow.preview(`limit/${name}`, { max: 1 })],
    ['flow.close', (name) => client().flow.close(`limit/${name}`, '1s')],
    ['flow.open', (name) => client().flow.open(`${name}/smtp`)],
  ])('that no address leads to is refused before anything is asked: %s', async (_, ask) => {
    for (const name of ['.', '..', '\ud800'])
      await expect(ask(name)).rejects.toMatchObject({ code: 'invalid_address' });
  });

  test.each(['/v1/queues/../pause', '/v1/queues/%2e%2E/pause', '/v1/queues/x\\..\\y/pause', '/v1/..'])(
    'is not resolved in a path of one’s own: %s',
    async (path) => {
      await expect(client().request('POST', path)).rejects.toMatchObject({ code: 'invalid_address' });
    },
  );

  test.each(['x\\..\\other', 'a/b', 'a%2Fb', 'a?b', 'a#b', 'a b', '😀', '...'])(
    'may have what means something there: %s',
    async (name) => {
      const place = `/v1/queues/${encodeURIComponent(name)}`;
      expect(await client().request('POST', `${place}/pause`)).toMatchObject({ kind: 'queue', name });
      expect(await client().request('POST', `${place}/resume`)).toMatchObject({ pause: { name } });
    },
  );
});
