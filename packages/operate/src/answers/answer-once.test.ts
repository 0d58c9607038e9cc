import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { enqueue, type RawClient, type Transactable } from '@duework/queue-core';
import { pruneRuns } from '@duework/queue-core/internals';
import { echo, emptyTables, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, describe, expect, test } from '@jest/globals';
import { answerOnce, type AnsweredOnce } from './answer-once.js';
import type { KeptAnswer } from './kept-answer.js';

const database = useTestDatabase();
afterEach(() => emptyTables(database.db, 'kept_answers, job_runs'));

const request = { principal: 'shop', key: 'order-1', fingerprint: 'f' };
const countRuns = (): Promise<number> => database.db.jobRun.count();
const answer = (id: string): KeptAnswer => ({
  status: 202,
  headers: { location: `/v1/jobs/${id}` },
  body: `{"id":"${id}"}`,
});
const act = async (tx: RawClient): Promise<KeptAnswer> => answer((await enqueue(tx, echo, { n: 1 })).id);
const ask = (db: Transactable = database.db, changes: Partial<typeof request> = {}): Promise<AnsweredOnce> =>
  answerOnce(db, { ...request, ...changes }, act);

/** Begins the request on a connection of its own, and holds it before its transaction can commit. */
async function hold(
  then: () => Promise<void> = async () => {},
): Promise<{ answer: Promise<AnsweredOnce>; go: () => void }> {
  let go!: () => void;
  const held = new Promise<void>((resolve) => (go = resolve));
  let tell!: () => void;
  const written = new Promise<void>((resolve) => (tell = resolve));
  const answered = answerOnce(database.connect({ poolSize: 1 }), request, async (tx) => {
    const given = await act(tx);
    tell();
    await held;
    await then();
    return given;
  });
  answered.catch(() => {});
  await written;
  return { answer: answered, go };
}

describe.each<[string, () => Transactable]>([
  ['through Prisma', () => database.db],
  ['through pg', () => database.connectPg()],
])('%s', (_, connect) => {
  test('a request that is repeated gets the first answer, to the byte, and writes nothing', async () => {
    const db = connect();
    const first = await ask(db);
    expect(first).toMatchObject({ state: 'answered', isReplayed: false });
    expect(await ask(db)).toEqual({ ...first, isReplayed: true });
    expect(await countRuns()).toBe(1);
  });
});

test('the same key with another body is another request, which is refused', async () => {
  await ask();
  expect(await ask(database.db, { fingerprint: 'g' })).toEqual({ state: 'other_request' });
  expect(await countRuns()).toBe(1);
});

test('two principals that choose the same key do not meet', async () => {
  await ask();
  expect(await ask(database.db, { principal: 'office' })).toMatchObject({ isReplayed: false });
  expect(await countRuns()).toBe(2);
});

test('a repetition is told at once that the first is in flight, and gets its answer when that has committed', async () => {
  const first = await hold();
  expect(await ask()).toEqual({ state: 'in_flight' });
  first.go();
  const given = await first.answer;
  expect(await ask()).toEqual({ ...given, isReplayed: true });
  expect(await countRuns()).toBe(1);
});

test('twenty at once on connections of their own make one run: each is answered, or told that one is in flight', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask()));
  expect(await countRuns()).toBe(1);
  expect(answers.filter((given) => given.state === 'answered' && !given.isReplayed)).toHaveLength(1);
  expect(answers.filter(({ state }) => state === 'other_request')).toEqual([]);
});

test('a request that fails keeps no answer and leaves its key free', async () => {
  const first = await hold(() => Promise.reject(new Error('the order was refused')));
  first.go();
  await expect(first.answer).rejects.toThrow('the order was refused');
  expect(await countRuns()).toBe(0);
  expect(await ask()).toMatchObject({ state: 'answered', isReplayed: false });
});

test('a server that is killed in flight leaves no run, no answer and a free key', async () => {
  const program = fileURLToPath(new URL('../testing/die-in-flight.mjs', import.meta.url));
  const server = spawn(process.execPath, [program, database.url], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(server.stdout, 'data');
  const inFlight = { key: 'crash' };
  expect(await ask(database.db, inFlight)).toEqual({ state: 'in_flight' });
  server.kill('SIGKILL');
  await once(server, 'close');
  let given = await ask(database.db, inFlight);
  // PostgreSQL sees the end of the connection, and not of the process
  while (given.state === 'in_flight') given = await ask(database.db, inFlight);
  expect(given).toMatchObject({ state: 'answered', isReplayed: false });
  expect(await countRuns()).toBe(1);
});

test('an answer is given again for a day, then maintenance deletes it and the key is free', async () => {
  const age = (by: string) =>
    database.db.$executeRaw`UPDATE duework.kept_answers SET created_at = now() - ${by}::text::interval`;
  await ask();
  await age('23:59');
  await pruneRuns(database.db, { keepDays: 30, keepDeadDays: 90 });
  expect(await ask()).toMatchObject({ isReplayed: true });
  await age('24:01');
  expect(await ask()).toMatchObject({ isReplayed: false });
  expect(await ask()).toMatchObject({ isReplayed: true });
  await age('24:01');
  await pruneRuns(database.db, { keepDays: 30, keepDeadDays: 90 });
  expect(await database.db.keptAnswer.count()).toBe(0);
});

test('in the transaction of its caller, the answer goes with what the caller wrote', async () => {
  const rolledBack = database.db.$transaction(async (tx) => {
    await ask(tx);
    throw new Error('no');
  });
  await expect(rolledBack).rejects.toThrow('no');
  expect(await ask()).toMatchObject({ isReplayed: false });
});
