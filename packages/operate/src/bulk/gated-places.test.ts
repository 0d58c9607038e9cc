import { type ClaimedRun, createPostgresStore, retryJob } from '@duework/queue-core';
import { describe, expect, test } from '@jest/globals';
import { ANA, book, each, fragile, gatedCatalog, mail, narrow, shared, useGated } from '../testing/use-gated.js';
import type { BulkRequest } from './bulk-action.js';
import { getBulkAction } from './get-bulk-action.js';
import { startBulkAction } from './start-bulk-action.js';

const { db, add, look, claim, heldBy, step } = useGated();
const LATER = new Date('2999-01-01T00:00:00Z');
const SMTP = 'limit/smtp';
/** Runs an action to its end, and takes the looks that it asks for. */
const run = async (request: BulkRequest): Promise<void> => {
  const { id } = await startBulkAction(db(), gatedCatalog, request, ANA);
  await step();
  expect(await getBulkAction(db(), id)).toMatchObject({ status: 'finished' });
  await look();
};
const error = { code: 'boom', type: 'Error', message: 'boom', stack: null };
const settle = async (runs: readonly ClaimedRun[], settlement: object): Promise<void> => {
  const store = createPostgresStore({ db: db() });
  await store.settle(runs.map(({ id, fence, gates }) => ({ id, fence, gates: gates ?? [], ...settlement }) as never));
  await look();
};
const complete = (runs: readonly ClaimedRun[]) => settle(runs, { kind: 'complete', result: null });
/** Runs that are held, and neither stand in the line of that key nor are looked at when they are due. */
const lost = async (): Promise<object[]> => db().$queryRaw`
  SELECT j.id::text, j.held_by FROM duework.job_runs AS j
  WHERE j.held_by IS NOT NULL
    AND NOT EXISTS (
      SELECT FROM duework.flow_waits AS w WHERE w.key = j.held_by AND w.run_id = j.id AND j.run_at <= now()
        AND w.priority = duework.line_priority(j.held_by, j.priority) AND w.ready_at = duework.line_ready_at(j.held_by, j.run_at)
    )
    AND NOT EXISTS (SELECT FROM duework.flow_looks AS l WHERE l.run_id = j.id AND l.at = j.run_at)`;
/** Claims and completes until nothing is left that is due within a minute; the ids in the order in which they ran. */
const drain = async (): Promise<string[]> => {
  const ran: string[] = [];
  const isLeft = async (): Promise<boolean> =>
    (await db().$queryRaw<object[]>`SELECT 1 AS one FROM duework.job_runs WHERE run_at < now() + interval '1 minute'`)
      .length > 0;
  while (await isLeft()) {
    await look();
    await db().$queryRaw`SELECT duework.take_turns('default', 100)::text`;
    const runs = await claim();
    ran.push(...runs.map(({ id }) => id));
    await complete(runs);
  }
  return ran;
};

describe('run now', () => {
  test.each([
    ['by a bulk retry', (id: string) => run({ verb: 'retry', filter: `id:${id} status:queued,failed` })],
    ['by another time', (id: string) => run({ verb: 'reschedule', filter: `id:${id}`, runAt: new Date(0) })],
    ['by a retry', (id: string) => retryJob(db(), id).then(look)],
  ])('%s has a run that is due later stand in line, and lets nobody past the gate', async (_, now) => {
    const [first] = await add(mail, [1]);
    const [second] = await add(mail, [2], { runAt: LATER });
    await now(second!);
    expect(await heldBy([first!, second!])).toEqual([null, SMTP]);
    expect(await lost()).toEqual([]);
    expect(await drain()).toEqual([first, second]);
  });

  test('of one that waits in line costs it no place', async () => {
    const ids = await add(mail, [1, 2, 3]);
    await retryJob(db(), ids[1]!);
    await run({ verb: 'retry', filter: `id:${ids[1]} status:queued,failed` });
    expect(await lost()).toEqual([]);
    expect(await drain()).toEqual(ids);
  });

  test('of the first of an order that has failed has it stand at its next gate, and nobody overtakes it', async () => {
    const ids = await add(narrow, [7, 7, 8]);
    await settle(await claim(), { kind: 'fail', error, abort: null, delayMs: 3_600_000 });
    // the limit went on to the other account
    expect(await heldBy(ids)).toEqual(['limit/narrow', 'order/narrow.account/7', null]);
    await run({ verb: 'retry', filter: `id:${ids[0]} status:queued,failed` });
    expect(await heldBy(ids)).toEqual(['limit/narrow', 'order/narrow.account/7', null]);
    expect(await lost()).toEqual([]);
    expect(await drain()).toEqual([ids[2], ids[0], ids[1]]);
  });

  test('leaves what waits at an open breaker where it is', async () => {
    const ids = await add(fragile, [1, 2]);
    await settle(await claim(), { kind: 'fail', error, abort: null, delayMs: 3_600_000 });
    await run({ verb: 'retry', filter: 'type:fragile status:queued,failed' });
    expect(await heldBy(ids)).toEqual(['breaker/fragile', 'breaker/fragile']);
    expect(await lost()).toEqual([]);
    expect(await claim()).toEqual([]);
  });
});

describe('put off', () => {
  const order = 'order/book.account/7';
  const release = { kind: 'release', abort: null };
  test.each([
    ['that has begun keeps the order', { ...release, reason: 'a deploy' }, [null, order]],
    ['that has not begun leaves it to the next', { ...release, reason: null }, [order, null]],
  ])('the first of an order %s', async (_, settlement, waitAt) => {
    const ids = await add(book, [7, 7]);
    await settle(await claim(), settlement);
    await run({ verb: 'reschedule', filter: `id:${ids[0]}`, runAt: LATER });
    expect(await heldBy(ids)).toEqual(waitAt);
  });
});

describe('many at once', () => {
  test('that are cancelled, let in or waiting, leave the key to the others', async () => {
    const ids = await add(mail, [1, 2, 3, 4]);
    await run({ verb: 'cancel', filter: `id:${ids[0]},${ids[2]}` });
    expect(await heldBy(ids)).toEqual([undefined, null, undefined, SMTP]);
    expect(await drain()).toEqual([ids[1], ids[3]]);
  });

  test('that are put off and brought back stand in line again, once each', async () => {
    const ids = await add(each, [7, 7, 8]);
    await run({ verb: 'reschedule', filter: 'type:each', runAt: LATER });
    expect(await claim()).toEqual([]);
    await run({ verb: 'reschedule', filter: 'type:each', runAt: new Date(0) });
    expect(await heldBy(ids)).toEqual([null, 'limit/each.account/7', null]);
    expect(await lost()).toEqual([]);
    expect((await drain()).toSorted()).toEqual(ids.toSorted());
  });

  test('whatever is done to them, hold no more than their limits, lose no place, and run to their ends in order', async () => {
    const ids = [
      ...(await add(mail, [1, 2, 3, 4])),
      ...(await add(each, [7, 7, 7, 8])),
      ...(await add(book, [7, 7, 7, 8])),
      ...(await add(shared, [7, 8])),
    ];
    const some = (n: number) => `id:${ids.filter((_, at) => (at + n) % 3 === 0).join(',')}`;
    const requests: readonly ((n: number) => BulkRequest)[] = [
      (n) => ({ verb: 'change_priority', filter: some(n), priority: n % 10 }),
      (n) => ({ verb: 'reschedule', filter: some(n), runAt: LATER }),
      (n) => ({ verb: 'retry', filter: `${some(n)} status:queued,failed` }),
      (n) => ({ verb: 'change_queue', filter: some(n), queue: n % 2 === 0 ? 'default' : 'other' }),
      (n) => ({ verb: 'reschedule', filter: some(n), runAt: new Date(0) }),
    ];
    for (let n = 0; n < 15; n++) {
      await run(requests[n % requests.length]!(n));
      expect([n, await lost()]).toEqual([n, []]);
      const [{ over }] = await db().$queryRaw<[{ over: number }]>`
        SELECT count(*)::int AS over FROM (
          SELECT g.gate FROM duework.job_runs AS j CROSS JOIN LATERAL unnest(j.gates) AS g (gate)
          WHERE j.held_by IS NULL AND (g.gate LIKE 'limit/%' OR g.gate LIKE 'order/%') GROUP BY g.gate HAVING count(*) > 1
        ) AS x`;
      expect([n, over]).toEqual([n, 0]);
    }
    await run({ verb: 'change_queue', filter: 'queue:other', queue: 'default' });
    await run({ verb: 'reschedule', filter: 'status:queued', runAt: new Date(0) });
    const ran = await drain();
    expect(ran.toSorted()).toEqual(ids.toSorted());
    const books = ids.slice(8, 11);
    expect(ran.filter((id) => books.includes(id))).toEqual(books);
  });
});
