import { enqueue, type JobContext, type Queryable } from '@duework/queue-core';
import { recogniseClient } from '@duework/sql';
import { cleanupNightly } from '@duework/shop';
import { startTestWorker } from '@duework/testing';
import { afterEach, expect, test } from '@jest/globals';
import { useTestApi } from '../../testing/use-test-api.js';
import { readEvents } from '../../testing/read-events.js';

let statements = 0;
const api = useTestApi(({ db }) => ({ db: counted(db) as never, maxStreams: 8_000 }));
const stops: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Counts what is sent through a client. */
function counted(db: Queryable): Queryable {
  const client = recogniseClient(db);
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name !== '$queryRaw') return typeof value === 'function' ? value.bind(target) : value;
      return (...given: Parameters<typeof client.$queryRaw>) => {
        statements += 1;
        return target.$queryRaw(...given);
      };
    },
  });
}

let day = 0;
/** Another day is another key. */
const enqueueOne = () =>
  enqueue(api.db, cleanupNightly, { day: new Date(86_400_000 * day++).toISOString().slice(0, 10) });

/** Starts a worker whose handler waits until `finish` is called. */
async function startWorker(): Promise<{ finish: () => void; begun: Promise<void> }> {
  let finish = (): void => {};
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const { worker } = await startTestWorker(api.db, {
    catalog: [cleanupNightly] as const,
    handlers: {
      cleanup_nightly: async ({ progress }: JobContext) => {
        progress({ done: 1, of: 2 });
        begin();
        await finished;
        progress({ done: 2, of: 2 });
      },
    } as never,
  });
  stops.push(() => worker.stop({ deadlineMs: 0 }));
  return { finish, begun };
}

test('a job is followed from where it is to its end, with its progress, and the stream ends', async () => {
  const { id } = await enqueueOne();
  const events = await readEvents(`${api.url}/v1/jobs/${id}/events`);
  expect(await events.next()).toMatchObject({ event: 'job', data: { id, status: 'queued', finishedAt: null } });
  const { finish } = await startWorker();
  for (;;) {
    const { data } = (await events.next())!;
    expect(data.status).toBe('running');
    if (data.progress !== null) {
      expect(data.progress).toEqual({ done: 1, of: 2 });
      break;
    }
  }
  finish();
  let last = await events.next();
  // its last progress may be told before its end, and is told with it
  while (last!.data.status === 'running') last = await events.next();
  expect(last).toMatchObject({
    id: `${id}-end`,
    data: { status: 'succeeded', finishedAt: expect.any(String), progress: { done: 2, of: 2 } },
  });
  expect(await events.next()).toBeNull();
});

test('a client that comes again is told only what it has not seen, and told to stay away after the end', async () => {
  const { id } = await enqueueOne();
  const first = await readEvents(`${api.url}/v1/jobs/${id}/events`);
  const seen = (await first.next())!;
  first.close();
  const again = await readEvents(`${api.url}/v1/jobs/${id}/events`, { 'Last-Event-ID': seen.id });
  const { finish } = await startWorker();
  const next = (await again.next())!;
  expect(next.id).not.toBe(seen.id);
  expect(next.data.status).toBe('running');
  finish();
  for (let event = next; event.data.finishedAt === null;) event = (await again.next())!;
  const { status } = await api.get(`/v1/jobs/${id}/events`, { 'Last-Event-ID': `${id}-end` });
  expect(status).toBe(204);
});

test('a thousand who follow a job, and a hundred who follow others, share the statements', async () => {
  const jobs = await Promise.all(Array.from({ length: 100 }, enqueueOne));
  const urls = [
    ...Array.from({ length: 1_000 }, () => `${api.url}/v1/jobs/${jobs[0]!.id}/events`),
    ...jobs.map(({ id }) => `${api.url}/v1/jobs/${id}/events`),
  ];
  const all = [];
  for (let from = 0; from < urls.length; from += 100)
    all.push(...(await Promise.all(urls.slice(from, from + 100).map((url) => readEvents(url)))));
  for (const events of all) expect((await events.next())!.data.status).toBe('queued');
  const before = statements;
  const startedMs = performance.now();
  await api.post(`/v1/jobs/${jobs[0]!.id}/cancel`);
  for (const events of all.slice(0, 1_000)) expect((await events.next())!.data.status).toBe('cancelled');
  // each look is one statement; beside them the request itself
  const looks = (performance.now() - startedMs) / 500 + 1;
  expect(statements - before).toBeLessThanOrEqual(looks + 10);
  for (const events of all) events.close();
});

test('a simple client waits with ?wait, and is answered when the job ends or the time is over', async () => {
  const { id } = await enqueueOne();
  const early = await api.get(`/v1/jobs/${id}?wait=1`);
  expect(early.body.status).toBe('queued');
  const answer = api.get(`/v1/jobs/${id}?wait=60`);
  const { begun, finish } = await startWorker();
  await begun;
  finish();
  expect((await answer).body).toMatchObject({ id, status: 'succeeded' });
  expect((await api.get(`/v1/jobs/${id}?wait=61`)).body.code).toBe('invalid_query');
  expect((await api.get('/v1/jobs/99?wait=60')).body.code).toBe('job_not_found');
});

test('a job that is not there is refused, not followed', async () => {
  expect((await api.get('/v1/jobs/99/events')).body.code).toBe('job_not_found');
  expect((await api.get('/v1/jobs/x/events')).body.code).toBe('invalid_job_id');
});
