import { defineJob } from '@duework/contracts';
import { createMemoryQueue } from '@duework/testing';
import { charge, echo, emptyTables, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { z } from 'zod';
import { type EnqueueHook, instrumentEnqueue, type JobToSend, type SentJob } from './enqueue-hook.js';
import { enqueue, enqueueMany } from './enqueue.js';
import { jobRequest } from './job-request.js';
import { openQueue } from '../queue/open-queue.js';
import { getJob } from '../queue/operate.js';

const database = useTestDatabase();
afterEach(() => instrumentEnqueue(null));
const metaOf = async (id: string) => (await getJob(database.db, id)).job.meta;

/** A hook that adds the same text to every job, and remembers what it saw. */
function record(): { jobs: JobToSend[][]; sent: (readonly SentJob[] | null)[] } {
  const seen: ReturnType<typeof record> = { jobs: [], sent: [] };
  instrumentEnqueue((jobs, send) => {
    seen.jobs.push([...jobs]);
    send(jobs.map(() => ({ traceparent: 'added' }))).then(
      (sent) => seen.sent.push(sent),
      () => {},
    );
  });
  return seen;
}

describe('a hook of the process', () => {
  const two = [jobRequest(echo, { n: 1 }), jobRequest(charge, { invoice: 1 })];
  test.each<[string, () => Promise<unknown>, number]>([
    ['enqueue', () => enqueue(database.db, echo, { n: 1 }), 1],
    ['enqueueMany', () => enqueueMany(database.db, two), 2],
    ['a queue in a database', () => openQueue(database.db).enqueue(echo, { n: 1 }), 1],
    ['a queue in a database, with many', () => openQueue(database.db).enqueueMany(two), 2],
    ['a queue in memory', () => createMemoryQueue().enqueue(echo, { n: 1 }), 1],
  ])('stands around %s, and what it adds is on the jobs', async (_, act, count) => {
    const seen = record();
    await act();
    expect(seen.jobs.map(({ length }) => length)).toEqual([count]);
    expect(seen.sent).toEqual([
      Array.from({ length: count }, () => expect.objectContaining({ id: expect.any(String) })),
    ]);
    for (const job of seen.sent.flat()) {
      const found = await metaOf(job!.id).catch(() => ({ traceparent: 'added' }));
      if (!job!.isDeduplicated) expect(found).toEqual({ traceparent: 'added' });
    }
  });

  test('sees the type, the queue and what is beside the payload; never the payload or the key', async () => {
    const seen = record();
    const secret = defineJob({ type: 'secret', payload: z.object({ iban: z.string() }), sensitive: ['/iban'] });
    await enqueue(database.db, secret, { iban: 'DE89' }, { meta: { note: 'mine' }, idempotencyKey: 'DE89' });
    expect(seen.jobs).toEqual([
      [{ type: 'secret', version: 1, queue: 'default', meta: { note: 'mine' }, schedule: null }],
    ]);
  });

  test('never changes what a caller keeps beside a payload', async () => {
    record();
    const meta = { traceparent: 'mine', note: 'mine' };
    expect(await metaOf((await enqueue(database.db, echo, { n: 1 }, { meta })).id)).toEqual(meta);
  });

  test('may add more than fits: the first texts are kept, and the job is enqueued', async () => {
    instrumentEnqueue((_, send) => void send([{ traceparent: 'added', baggage: 'é'.repeat(2_000), more: 'x' }]));
    const { id } = await enqueue(database.db, echo, { n: 1 }, { meta: { note: 'mine' } });
    expect(await metaOf(id)).toEqual({ note: 'mine', traceparent: 'added' });
  });

  test('of another copy of the package is the same one', async () => {
    const seen = record();
    jest.resetModules();
    const other = await import('./enqueue.js');
    await other.enqueue(database.db, echo, { n: 1 });
    expect(seen.jobs).toHaveLength(1);
  });
});

describe('a hook that is broken costs no job, and changes no answer', () => {
  const broken: [string, EnqueueHook][] = [
    [
      'throws',
      () => {
        throw new Error('no tracer');
      },
    ],
    [
      'throws after it has sent',
      (_, send) => {
        void send();
        throw new Error('no tracer');
      },
    ],
    ['sends nothing', () => {}],
    ['sends twice', (_, send) => void Promise.all([send(), send()])],
    ['sends later', (_, send) => queueMicrotask(() => void send())],
    ['adds what cannot be stored', (_, send) => void send([{ traceparent: '\0' }])],
  ];
  test.each(broken)('one that %s', async (_, hook) => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    instrumentEnqueue(hook);
    await emptyTables(database.db, 'job_runs');
    const answer = { type: 'echo', status: 'queued', isDeduplicated: false };
    await expect(enqueue(database.db, echo, { n: 1 })).resolves.toMatchObject(answer);
    await enqueue(database.db, echo, { n: 2 });
    instrumentEnqueue(null);
    // whatever it still sends is sent by now
    await enqueue(database.db, echo, { n: 3 });
    expect(await database.db.jobRun.count()).toBe(3);
    // told once, not with every job
    expect(warn.mock.calls.length).toBeLessThanOrEqual(1);
    warn.mockRestore();
  });
});
