import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { createFakeClock, silentLog, startTestWorker } from '@duework/testing';
import { untilJob, useTestDatabase } from '@duework/testing/fixtures';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueue, enqueueMany, jobRequest } from '../enqueue/enqueue.js';
import { getJob } from '../queue/operate.js';
import { KeptLog } from './attempt.js';

const database = useTestDatabase();
const mail = defineJob({
  type: 'mail',
  payload: z.object({ to: z.string() }),
  sensitive: ['/to'],
  retry: fixed('1ms'),
  maxAttempts: 2,
});
const silent = defineJob({ type: 'silent', payload: z.object({}), maxAttempts: 1, errors: { text: 'left_out' } });
const catalog = defineCatalog([mail, silent]);
const told = defineJob({
  type: 'told',
  payload: z.object({ to: z.string(), in: z.enum(['nothing', 'outcome', 'transaction', 'failure']) }),
  sensitive: ['/to'],
  retry: fixed('1ms'),
  maxAttempts: 2,
  keepLogs: true,
});
const unsaid = defineJob({ type: 'unsaid', payload: z.object({}), errors: { text: 'left_out' }, keepLogs: true });

test('lines are passed on, and kept with when, level, message and facts', async () => {
  const clock = createFakeClock();
  const passed: unknown[] = [];
  const log = new KeptLog({ ...silentLog, info: (...given) => void passed.push(given) }, clock);
  expect(log.text()).toBeNull();
  await clock.advance(1_234);
  log.info({ host: 'mx1', error: new Error('full') }, 'connecting');
  const circle: { self?: object } = {};
  circle.self = circle;
  log.warn(circle, 'odd');
  log.error('no object' as never);
  expect(passed).toEqual([[expect.objectContaining({ host: 'mx1' }), 'connecting']]);
  expect(log.text()).toBe(
    [
      '+1.234s info connecting {"host":"mx1","error":"Error: full"}',
      '+1.234s warn odd (facts that are no JSON)',
      '+1.234s error no object',
    ].join('\n'),
  );
});

test('the last 8,000 characters are kept, and of a line 1,000', () => {
  const log = new KeptLog(silentLog, createFakeClock());
  for (let n = 0; n < 1_000; n++) log.info({ n }, 'line');
  log.info({ text: 'x'.repeat(5_000) });
  const lines = log.text()!.split('\n');
  expect(log.text()!.length).toBeLessThanOrEqual(8_000);
  expect(lines.at(-1)).toHaveLength(1_000);
  expect(lines.at(-2)).toBe('+0.000s info line {"n":999}');
});

test('a failed attempt has its own lines, cleaned of what is sensitive; one of a contract that keeps no texts has none', async () => {
  const { worker } = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    keepLogs: true,
    handlers: {
      mail: ({ payload: { to }, attempt, log }) => {
        log.info({ attempt }, `to ${to}`);
        throw new Error('no');
      },
      silent: ({ log }) => {
        log.info({}, 'heard');
        throw new Error('no');
      },
    },
  });
  const sent = await enqueue(database.db, mail, { to: 'ana@example.org' });
  const unheard = await enqueue(database.db, silent, {});
  await Promise.all([sent, unheard].map(({ id }) => untilJob(database.db, id)));
  await worker.stop({ deadlineMs: 0 });
  const logsOf = async (id: string) => (await getJob(database.db, id)).attempts.map(({ logs }) => logs);
  const line = (n: number) => expect.stringMatching(new RegExp(`^\\+\\d\\.\\d{3}s info to \\S+ \\{"attempt":${n}\\}$`));
  const logs = await logsOf(sent.id);
  expect(logs).toEqual([line(1), line(2)]);
  expect(logs.join()).not.toContain('ana@example.org');
  expect(await logsOf(unheard.id)).toEqual([null]);
});

test('a contract that keeps logs has them of each attempt that succeeds or fails, cleaned, whatever its worker says', async () => {
  const { worker } = await startTestWorker<readonly [typeof told, typeof unsaid]>(database.db, {
    catalog: [told, unsaid],
    handlers: {
      told: async ({ payload: { to, in: how }, attempt, log, completeIn }) => {
        if (how !== 'nothing') log.info({ attempt }, `to ${to}`);
        if (how === 'failure' && attempt === 1) throw new Error('no');
        if (how === 'transaction') await database.db.$transaction((tx) => completeIn(tx));
      },
      unsaid: ({ log }) => log.info({}, 'heard'),
    },
  });
  const hows = ['nothing', 'outcome', 'transaction', 'failure'] as const;
  const jobs = await Promise.all(hows.map((how) => enqueue(database.db, told, { to: 'ana@example.org', in: how })));
  const unheard = await enqueue(database.db, unsaid, {});
  await Promise.all([...jobs, unheard].map(({ id }) => untilJob(database.db, id)));
  await worker.stop({ deadlineMs: 0 });
  const attemptsOf = async (id: string) =>
    (await getJob(database.db, id)).attempts.map(({ attempt, outcome, errorCode, logs }) => [
      attempt,
      outcome,
      errorCode,
      logs?.replace(/^\+\d+\.\d{3}s /, ''),
    ]);
  const line = (n: number) => expect.stringMatching(new RegExp(`^info to \\S+ \\{"attempt":${n}\\}$`));
  const [nothing, outcome, transaction, failure] = await Promise.all(jobs.map(({ id }) => attemptsOf(id)));
  expect(nothing).toEqual([]);
  expect(outcome).toEqual([[1, 'succeeded', null, line(1)]]);
  expect(transaction).toEqual([[1, 'succeeded', null, line(1)]]);
  expect(failure).toEqual([
    [1, 'failed', 'unexpected_error', line(1)],
    [2, 'succeeded', null, line(2)],
  ]);
  expect(JSON.stringify([outcome, transaction, failure])).not.toContain('ana@example.org');
  expect(await attemptsOf(unheard.id)).toEqual([]);
});

test('a contract that keeps all attempts has those that succeed on record, with no logs unless it keeps them', async () => {
  const counted = defineJob({
    type: 'counted',
    payload: z.object({ in: z.enum(['outcome', 'transaction', 'failure']) }),
    retry: fixed('1ms'),
    maxAttempts: 2,
    keepAttempts: 'all',
  });
  const { worker } = await startTestWorker<readonly [typeof counted]>(database.db, {
    catalog: [counted],
    handlers: {
      counted: async ({ payload: { in: how }, attempt, log, completeIn }) => {
        log.info({}, 'heard');
        if (how === 'failure' && attempt === 1) throw new Error('no');
        if (how === 'transaction') await database.db.$transaction((tx) => completeIn(tx));
      },
    },
  });
  const hows = ['outcome', 'transaction', 'failure'] as const;
  const jobs = await Promise.all(hows.map((how) => enqueue(database.db, counted, { in: how })));
  await Promise.all(jobs.map(({ id }) => untilJob(database.db, id)));
  await worker.stop({ deadlineMs: 0 });
  const attempts = await Promise.all(
    jobs.map(async ({ id }) => (await getJob(database.db, id)).attempts.map(({ outcome, logs }) => [outcome, logs])),
  );
  const succeeded = ['succeeded', null];
  expect(attempts).toEqual([[succeeded], [succeeded], [['failed', null], succeeded]]);
});

test('of many that succeed in one statement each has its own logs', async () => {
  const { worker } = await startTestWorker<readonly [typeof told]>(database.db, {
    catalog: [told],
    handlers: { told: ({ run, log }) => log.info({}, `job ${run.id}`) },
    concurrency: 50,
  });
  const jobs = await enqueueMany(
    database.db,
    Array.from({ length: 200 }, () => jobRequest(told, { to: 'ana@example.org', in: 'outcome' })),
  );
  await Promise.all(jobs.map(({ id }) => untilJob(database.db, id)));
  await worker.stop({ deadlineMs: 0 });
  for (const { id } of jobs)
    expect((await getJob(database.db, id)).attempts).toMatchObject([{ logs: expect.stringContaining(`job ${id}`) }]);
});
