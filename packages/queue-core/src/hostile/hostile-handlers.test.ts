import { afterEach, describe, expect, test } from '@jest/globals';
import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { fuzz } from '@duework/database/testing';
import fc from 'fast-check';
import { z } from 'zod';
import type { Worker } from '../worker/create-worker.js';
import { enqueueMany, jobRequest } from '../enqueue/enqueue.js';
import type { JobContext } from '../run/handler.js';
import { findJobs, getJob } from '../queue/operate.js';
import { startTestWorker, type EventRecord } from '@duework/testing';
import {
  hostileNumber,
  hostileRecipe,
  hostileText,
  make,
  type Recipe,
  useTestDatabase,
} from '@duework/testing/fixtures';

const database = useTestDatabase();
const strange = defineJob({
  type: 'strange',
  payload: z.object({ n: z.int() }),
  result: z.any(),
  retry: fixed('1h'),
  lease: '30s',
});
const picky = defineJob({
  type: 'picky',
  payload: z.object({ n: z.int() }).refine(({ n }) => {
    if (n === 0) throw new Error('the rule itself broke');
    return true;
  }),
  retry: fixed('1h'),
});
const catalog = defineCatalog([strange, picky]);

const stops: Worker[] = [];
afterEach(async () => {
  for (const worker of stops.splice(0)) await worker.stop({ deadlineMs: 1_000 });
});

/** What one handler does: throws it, or an error that has it somewhere, or returns it in some way, or uses it. */
type Deed = { readonly how: keyof typeof DEEDS; readonly what: Recipe };

const withField =
  (field: string) =>
  (_: JobContext, value: unknown): never => {
    throw Object.assign(new Error('x'), { [field]: value });
  };
const withGetter =
  (field: string) =>
  (_: JobContext, value: unknown): never => {
    throw Object.defineProperty(new Error('x'), field, {
      get: () => {
        throw value;
      },
    });
  };

/** A delay that could be one is long, so that the run does not come back meanwhile. */
const late = (value: unknown): unknown =>
  typeof value === 'number' && value >= 0 && value < 1e9 ? value + 3_600_000 : value;

const DEEDS = {
  throw: (_: JobContext, value: unknown) => {
    throw value;
  },
  'throw an Error of it': (_: JobContext, value: unknown) => {
    throw new Error(typeof value === 'string' ? value : 'x', { cause: value });
  },
  'throw a huge Error': () => {
    throw Object.assign(new Error('m\0'.repeat(1_000_000)), { stack: '\ud800'.repeat(1_000_000) });
  },
  'throw a frozen object': (_: JobContext, value: unknown) => {
    throw Object.freeze({ message: value, code: value });
  },
  'throw an AggregateError that causes itself': (_: JobContext, value: unknown) => {
    const error = new AggregateError([value]);
    error.cause = error;
    error.errors.push(error);
    throw error;
  },
  message: withField('message'),
  code: withField('code'),
  name: withField('name'),
  stack: withField('stack'),
  status: withField('status'),
  response: withField('response'),
  meta: withField('meta'),
  'a message that throws': withGetter('message'),
  'a code that throws': withGetter('code'),
  'a stack that throws': withGetter('stack'),
  'a status that throws': withGetter('status'),
  'a name that throws': withGetter('name'),
  'return it': (_: JobContext, value: unknown) => value,
  'complete with it': (_: JobContext, value: unknown) => ({ kind: 'complete', result: value }),
  retry: (_: JobContext, value: unknown) => ({ kind: 'retry', reason: value, code: value, delayMs: null }),
  'retry after': (_: JobContext, value: unknown) => ({ kind: 'retry', reason: 'x', code: 'x', delayMs: late(value) }),
  snooze: (_: JobContext, value: unknown) => ({ kind: 'snooze', delayMs: late(value) }),
  bury: (_: JobContext, value: unknown) => ({ kind: 'bury', reason: value, code: value }),
  progress: ({ progress }: JobContext, value: unknown) => progress(value as never),
  'once, named so': ({ once }: JobContext, value: unknown) => once(value as never, () => 1),
  'once, for its key': ({ once }: JobContext, value: unknown) => once('effect', () => 1, { key: value as never }),
  'once, with its result': ({ once }: JobContext, value: unknown) =>
    once('result', () => value as never).then(() => undefined),
  'once, throwing it': ({ once }: JobContext, value: unknown) =>
    once('throwing', () => {
      throw value;
    }),
  work: () => ({ kind: 'complete', result: 'worked' }),
} as const satisfies Record<string, (context: JobContext, value: unknown) => unknown>;

const ENDINGS = new Set<string>(['job.succeeded', 'job.failed', 'job.dead', 'job.snoozed', 'job.cancelled']);

const deed: fc.Arbitrary<Deed> = fc.record({
  how: fc.constantFrom(...(Object.keys(DEEDS) as (keyof typeof DEEDS)[])),
  what: fc.oneof(hostileRecipe, fc.record({ json: hostileText }), fc.record({ json: hostileNumber })),
});

/** Resolves when each of these runs has ended an attempt. */
async function waitForEnds(events: EventRecord, ids: readonly string[]): Promise<void> {
  const open = new Set(ids);
  for (let seen = 0; open.size > 0; seen++) {
    if (seen === events.all.length) await events.next();
    const event = events.all[seen]!;
    if (ENDINGS.has(event.name) && 'run' in event) open.delete(event.run.id);
  }
}

/** A worker that does the n-th deed for payload n. */
async function startStrangeWorker() {
  const deeds: Deed[] = [];
  const handler = (context: JobContext) => {
    const { how, what } = deeds[(context.payload as { n: number }).n]!;
    return DEEDS[how](context, make(what)) as never;
  };
  const { worker, events } = await startTestWorker(database.db, {
    catalog,
    concurrency: 20,
    handlers: { strange: handler, picky: (context) => handler(context as JobContext) },
  });
  stops.push(worker);
  return { events, deeds };
}

describe('whatever a handler throws or returns', () => {
  test('its run and the others of its batch end or wait for their next attempt, and the worker goes on', async () => {
    const { deeds, events } = await startStrangeWorker();
    await fuzz(
      fc.asyncProperty(fc.array(deed, { minLength: 10, maxLength: 20 }), async (batch) => {
        const first = deeds.length;
        deeds.push(...batch, { how: 'work', what: { json: null } });
        const jobs = await enqueueMany(
          database.db,
          deeds.slice(first).map((_, index) => jobRequest(strange, { n: first + index })),
        );
        const ids = jobs.map(({ id }) => id);
        await waitForEnds(events, ids);
        expect((await getJob(database.db, ids.at(-1)!)).job).toMatchObject({ status: 'succeeded', result: 'worked' });
      }),
      8,
    );
  });

  test('a contract’s rule that throws fails the attempt, and not the worker', async () => {
    const { deeds, events } = await startStrangeWorker();
    deeds.push({ how: 'work', what: { json: null } }, { how: 'work', what: { json: null } });
    const [broken] = await enqueueMany(database.db, [jobRequest(picky, { n: 1 })]);
    await waitForEnds(events, [broken!.id]);
    await database.db
      .$executeRaw`INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts) VALUES ('default', 'picky', 1, 5, now(), '{"n":0}', 10)`;
    const [unruly] = (await findJobs(database.db, { type: 'picky' })).jobs;
    await waitForEnds(events, [unruly!.id]);
    const failed = (await getJob(database.db, unruly!.id)).job;
    expect(failed).toMatchObject({ lastError: 'the rule itself broke' });
    expect((await getJob(database.db, broken!.id)).job.status).toBe('succeeded');
  });

  test.each<[string, unknown, object]>([
    ['something that is no outcome', { ok: true }, { status: 'succeeded', result: { ok: true } }],
    ['a number', 7, { status: 'succeeded', result: 7 }],
    ['half of an outcome', { kind: 'bury' }, { status: 'succeeded', result: { kind: 'bury' } }],
    ['a delay that is none', { kind: 'snooze', delayMs: NaN }, { status: 'dead', errorCode: 'invalid_outcome' }],
    [
      'a reason with a NUL',
      { kind: 'bury', code: 'a\0b', reason: '\ud800 gone\0' },
      { status: 'dead', errorCode: 'ab', lastError: '\ufffd gone' },
    ],
    [
      'a result that is too large',
      { kind: 'complete', result: 'x'.repeat(300_000) },
      { status: 'succeeded', result: null },
    ],
  ])('a handler that returns %s', async (_, outcome, expected) => {
    const { deeds, events } = await startStrangeWorker();
    deeds.push({ how: 'return it', what: { json: outcome } });
    const [job] = await enqueueMany(database.db, [jobRequest(strange, { n: 0 })]);
    await waitForEnds(events, [job!.id]);
    expect((await getJob(database.db, job!.id)).job).toMatchObject(expected);
  });
});

test('a settlement that the database refuses delays no other, and is written when it can be', async () => {
  await database.db.$executeRaw`
    CREATE FUNCTION duework.refuse() RETURNS trigger LANGUAGE plpgsql AS '
    BEGIN
      IF NEW.payload ->> ''n'' = ''0'' THEN RAISE EXCEPTION ''refused'' USING ERRCODE = ''23514''; END IF;
      RETURN NEW;
    END'`;
  await database.db
    .$executeRaw`CREATE TRIGGER refuse BEFORE INSERT ON duework.job_history FOR EACH ROW EXECUTE FUNCTION duework.refuse()`;
  const { deeds, events } = await startStrangeWorker();
  for (let n = 0; n < 60; n++) deeds.push({ how: 'work', what: { json: null } });
  const jobs = await enqueueMany(
    database.db,
    deeds.map((_, n) => jobRequest(strange, { n })),
  );
  await waitForEnds(
    events,
    jobs.slice(1).map(({ id }) => id),
  );
  expect((await getJob(database.db, jobs[0]!.id)).job.status).toBe('running');
  await database.db.$executeRaw`DROP FUNCTION duework.refuse() CASCADE`;
  await waitForEnds(events, [jobs[0]!.id]);
  expect((await getJob(database.db, jobs[0]!.id)).job).toMatchObject({
    status: 'succeeded',
    attempts: 1,
    result: 'worked',
  });
});
