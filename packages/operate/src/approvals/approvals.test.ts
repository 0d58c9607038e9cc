import { defineCatalog, defineJob, defineSignal, fixed } from '@duework/contracts';
import { connectPrisma } from '@duework/database';
import {
  type Approval,
  type ApprovalOptions,
  cancelJob,
  complete,
  createKeyRing,
  enqueue,
  getJob,
  type Handlers,
  setKeyRing,
  signal,
  type Worker,
} from '@duework/queue-core';
import { openLink, sealLink } from '@duework/queue-core/internals';
import { startTestWorker } from '@duework/testing';
import { untilItWaits, untilJob, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { readAudit } from '../audit/read-audit.js';
import { readSteps } from '../steps/read-steps.js';
import { changeWait } from '../waits/change-wait.js';
import { decideApproval } from './decide-approval.js';
import { readApprovals } from './read-approvals.js';

const database = useTestDatabase();
const order = defineJob({
  type: 'order',
  payload: z.object({ n: z.int() }),
  retry: fixed('1ms'),
  maxAttempts: 2,
  durable: true,
  result: z.unknown(),
});
const paid = defineSignal({ name: 'paid', by: ['n'], payload: z.object({ n: z.int() }) });
const catalog = defineCatalog([order]);
const ring = createKeyRing({ current: 'k1', keys: { k1: Buffer.alloc(32, 7).toString('base64') } });
const REFUND = {
  name: 'refund',
  title: 'Refund order 812?',
  details: { amount: '9.90 €' },
  choices: ['pay', 'keep'],
} as const;

const workers: Worker[] = [];
afterEach(async () => {
  setKeyRing(null);
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});
async function start(handle: Handlers<typeof catalog>['order']) {
  const { worker, events } = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    handlers: { order: handle },
  });
  workers.push(worker);
  return events;
}
/** A job that asks, and waits for the decision. */
async function ask(options: ApprovalOptions = REFUND) {
  const events = await start(async ({ waitForApproval }) => complete({ answer: await waitForApproval(options) }));
  const { id } = await enqueue(database.db, order, { n: 1 });
  await events.waitFor('job.snoozed');
  const decide = (choice: string, by = 'key:desk', db = database.db) =>
    decideApproval(db, { id, wait: options.name ?? 'approval', choice }, { by, via: 'api', reason: 'as agreed' });
  const answer = async (): Promise<Approval | null> => {
    await untilJob(database.db, id);
    return ((await getJob(database.db, id)).job.result as { answer: Approval | null }).answer;
  };
  return { id, events, decide, answer, read: async () => (await readApprovals(database.db, id))[0]! };
}
const entriesOf = async (id: string) => (await readAudit(database.db, { kind: 'job', target: id })).entries;

test('a job waits without a worker until somebody decides, and its handler gets what, by whom, when and why', async () => {
  const { id, decide, answer, read } = await ask();
  expect(await read()).toEqual({
    ...REFUND,
    by: null,
    state: 'waiting',
    until: null,
    decision: null,
  });
  expect((await getJob(database.db, id)).job).toMatchObject({ status: 'queued', worker: null, attempts: 0 });
  expect(await decide('pay')).toMatchObject({ refusal: null, approval: { state: 'decided' } });
  const given = await answer();
  expect(given).toEqual({ choice: 'pay', by: 'key:desk', at: expect.stringMatching(/^20.*Z$/), comment: 'as agreed' });
  expect(await read()).toMatchObject({ state: 'decided', decision: given });
  expect(await entriesOf(id)).toMatchObject([
    { verb: 'approve', by: 'key:desk', reason: 'as agreed', after: { step: 'refund', choice: 'pay' } },
  ]);
  const { steps } = await readSteps(database.db, id);
  expect(steps.map(({ name, sentence }) => [name, sentence])).toEqual([
    ['refund: question', 'done'],
    ['refund', 'decided'],
  ]);
});

test('of two who decide at the same time on two connections one does, and the other is told who it was', async () => {
  const { id, decide, answer } = await ask();
  const [first, second] = [0, 1].map(() => connectPrisma({ url: database.url, role: 'engine', poolSize: 1 }));
  let begun: Awaited<ReturnType<typeof untilItWaits<unknown>>> | undefined;
  await first!.$transaction(async (tx) => {
    expect(await decide('keep', 'link:ana@example.org', tx as never)).toMatchObject({ refusal: null });
    begun = await untilItWaits(database.db, second!, (client) => decide('pay', 'key:desk', client));
  });
  expect(begun!.isWaiting).toBe(true);
  expect(await begun!.answer).toMatchObject({
    refusal: 'decided',
    approval: { decision: { by: 'link:ana@example.org', choice: 'keep' } },
  });
  expect(await answer()).toMatchObject({ choice: 'keep', by: 'link:ana@example.org' });
  expect(await entriesOf(id)).toHaveLength(1);
  await Promise.all([first!.$disconnect(), second!.$disconnect()]);
});

test('a decision that its transaction takes back is none', async () => {
  const { id, decide, read } = await ask();
  await expect(
    database.db.$transaction(async (tx) => {
      await decide('pay', 'key:desk', tx as never);
      throw new Error('back');
    }),
  ).rejects.toThrow('back');
  expect(await read()).toMatchObject({ state: 'waiting' });
  expect(await entriesOf(id)).toEqual([]);
});

test('nobody decides after the deadline, even while no worker has seen that it is over, and the handler gets null', async () => {
  const { id, decide, answer, read } = await ask({ ...REFUND, timeout: '1h' });
  expect((await read()).until!.getTime()).toBeGreaterThan(Date.now() + 3_000_000);
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
  await database.db.$executeRaw`
    UPDATE duework.job_steps SET wakes_at = now() - interval '1 ms' WHERE run_id = ${BigInt(id)} AND status = 'waiting'`;
  expect(await decide('pay')).toMatchObject({ refusal: 'over' });
  await database.db.$executeRaw`UPDATE duework.job_runs SET run_at = now() WHERE id = ${BigInt(id)}`;
  await start(async ({ waitForApproval }) => complete({ answer: await waitForApproval({ ...REFUND, timeout: '1h' }) }));
  expect(await answer()).toBeNull();
  expect(await read()).toMatchObject({ state: 'over', decision: null });
});

test('only those who are named decide, only what is a choice, and nothing of a job that has ended', async () => {
  const { id, decide, read } = await ask({ ...REFUND, by: ['ana@example.org', 'key:desk'] });
  expect(await decide('pay', 'link:eve@example.org')).toMatchObject({ refusal: 'not_asked' });
  expect(await decide('perhaps')).toMatchObject({ refusal: 'no_choice' });
  expect(await decideApproval(database.db, { id, wait: 'other', choice: 'pay' }, {})).toEqual({
    refusal: 'not_found',
    approval: null,
  });
  await cancelJob(database.db, id);
  expect(await decide('pay', 'person:ana@example.org')).toMatchObject({ refusal: 'over' });
  expect(await read()).toMatchObject({ state: 'over' });
});

test('a signal of another name, or another wait, is no approval', async () => {
  const events = await start(async ({ waitFor }) => {
    await waitFor(paid, { where: { n: 1 }, name: 'approval' });
  });
  const { id } = await enqueue(database.db, order, { n: 1 });
  await events.waitFor('job.snoozed');
  expect(await readApprovals(database.db, id)).toEqual([]);
  expect(await decideApproval(database.db, { id, wait: 'approval', choice: 'approve' }, {})).toMatchObject({
    refusal: 'not_found',
  });
  await signal(database.db, paid, { n: 1 });
  await untilJob(database.db, id);
});

test('people are asked in steps, again after each time, by a link that is theirs alone, and no more once it is decided', async () => {
  setKeyRing(ring);
  const asked: [number, string][] = [];
  const { id, events, decide, answer } = await ask({
    ...REFUND,
    timeout: '9d',
    remindAfter: ['1d', '2d', '3d'],
    ask: ({ round, link }) =>
      void asked.push([round, link({ to: ['ana', 'ana', 'her boss'][round]!, url: 'https://ops.example.org/queue/' })]),
  });
  const pass = async (): Promise<void> => {
    await database.db.$executeRaw`
      UPDATE duework.job_steps SET wakes_at = now() WHERE run_id = ${BigInt(id)} AND status = 'waiting' AND awaits IS NULL`;
    await database.db.$executeRaw`UPDATE duework.job_runs SET run_at = now() WHERE id = ${BigInt(id)}`;
    await database.db.$executeRaw`SELECT pg_notify('duework_wake', 'default')`;
  };
  for (const snoozed of [2, 3]) {
    await pass();
    await events.waitFor('job.snoozed', snoozed);
  }
  expect(asked.map(([round]) => round)).toEqual([0, 1, 2]);
  for (const [at, to] of ['ana', 'ana', 'her boss'].entries()) {
    const [, token] = asked[at]![1].split('https://ops.example.org/queue/approvals/');
    expect(openLink(ring, decodeURIComponent(token!))).toEqual({ job: id, wait: 'refund', to });
    expect(token).toMatch(/^k1~[\w-]+$/);
  }
  await decide('pay');
  expect(await answer()).toMatchObject({ choice: 'pay' });
  expect(asked).toHaveLength(3);
});

test('a link is read by nobody with other keys, and not where it was changed', async () => {
  const token = sealLink(ring, { job: '7', wait: 'refund', to: 'ana' });
  const other = createKeyRing({ current: 'k1', keys: { k1: Buffer.alloc(32, 8).toString('base64') } });
  expect(openLink(other, token)).toBeNull();
  for (let at = 3; at < token.length; at++) {
    const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
    // the last sign has bits that no byte has
    if (at < token.length - 1) expect(openLink(ring, changed)).toBeNull();
  }
  expect(openLink(ring, ring.seal('["7","refund","ana"]', 'elsewhere').replace(':', '~'))).toBeNull();
  expect(openLink(ring, 'none')).toBeNull();
});

test('without a key ring a link fails its step, in plain words', async () => {
  const { id } = await enqueue(database.db, order, { n: 1 });
  await start(async ({ waitForApproval }) => {
    await waitForApproval({ ...REFUND, ask: ({ link }) => void link({ to: 'ana', url: 'https://x' }) });
  });
  await untilJob(database.db, id);
  expect((await getJob(database.db, id)).job).toMatchObject({ status: 'dead', errorCode: 'key_ring_missing' });
});

test.each<[string, object]>([
  ['no title', { title: ' ' }],
  ['no choices', { choices: [] }],
  ['a choice twice', { choices: ['pay', 'pay'] }],
])('an approval with %s is refused at once', async (_, wrong) => {
  await start(async ({ waitForApproval }) => {
    await waitForApproval({ ...REFUND, ...wrong } as never);
  });
  const { id } = await enqueue(database.db, order, { n: 1 });
  await untilJob(database.db, id);
  expect((await getJob(database.db, id)).job).toMatchObject({ status: 'dead', errorCode: 'step_misused', attempts: 1 });
});

test('a wait with a deadline is skipped, as if its time were over, and the audit has it', async () => {
  const { id, answer } = await ask({ ...REFUND, timeout: '1h' });
  expect(await changeWait(database.db, { id, name: 'refund', verb: 'skip' }, { by: 'key:ops', reason: 'gone' })).toBe(
    true,
  );
  expect(await answer()).toBeNull();
  expect(await entriesOf(id)).toMatchObject([
    { verb: 'skip_wait', by: 'key:ops', reason: 'gone', before: { step: 'refund' } },
  ]);
  expect(await changeWait(database.db, { id, name: 'refund', verb: 'skip' })).toBe(false);
});

test('a wait is failed: the handler gets the reason, in this attempt and in those that follow', async () => {
  const caught: unknown[] = [];
  const events = await start(async ({ waitForApproval, sleep }) => {
    try {
      await waitForApproval(REFUND);
    } catch (error) {
      caught.push((error as { code: string }).code, (error as Error).message);
    }
    await sleep('1ms');
    return complete({ answer: null });
  });
  const { id } = await enqueue(database.db, order, { n: 1 });
  await events.waitFor('job.snoozed');
  expect(await changeWait(database.db, { id, name: 'refund', verb: 'skip' })).toBe(false);
  expect(await changeWait(database.db, { id, name: 'refund', verb: 'fail' }, { reason: 'fraud' })).toBe(true);
  await untilJob(database.db, id);
  expect((await getJob(database.db, id)).job).toMatchObject({ status: 'succeeded' });
  expect(new Set(caught)).toEqual(new Set(['wait_failed', 'fraud']));
  expect(caught.length).toBeGreaterThanOrEqual(4);
  const { steps } = await readSteps(database.db, id);
  expect(steps[1]).toMatchObject({ status: 'failed', sentence: 'failed by hand: fraud' });
});

test('a wait that nobody catches the failure of ends its job for good', async () => {
  const { id } = await ask();
  await changeWait(database.db, { id, name: 'refund', verb: 'fail' }, { reason: 'fraud' });
  await untilJob(database.db, id);
  expect((await getJob(database.db, id)).job).toMatchObject({ status: 'dead', errorCode: 'wait_failed', attempts: 1 });
});

test('a deadline is extended, never shortened, and a link works until then', async () => {
  const { id, decide, answer, read } = await ask({ ...REFUND, timeout: '1h' });
  const until = new Date(Date.now() + 86_400_000);
  const extend = (moment: Date) => changeWait(database.db, { id, name: 'refund', verb: 'extend', until: moment });
  expect(await extend(until)).toBe(true);
  expect((await read()).until).toEqual(until);
  expect(await extend(new Date(Date.now() + 60_000))).toBe(false);
  await database.db.$executeRaw`UPDATE duework.job_runs SET run_at = now() WHERE id = ${BigInt(id)}`;
  await database.db.$executeRaw`SELECT pg_notify('duework_wake', 'default')`;
  expect(await decide('pay')).toMatchObject({ refusal: null });
  expect(await answer()).toMatchObject({ choice: 'pay' });
  await expect(extend(new Date('none'))).rejects.toMatchObject({ code: 'invalid_option' });
});
