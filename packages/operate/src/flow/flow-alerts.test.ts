import { createPostgresStore, openQueue } from '@duework/queue-core';
import { emptyTables } from '@duework/testing/fixtures';
import { beforeEach, expect, test } from '@jest/globals';
import { book, fragile, mail, useGated } from '../testing/use-gated.js';

const { db, add, claim, bury } = useGated();
const limits = { maxDeadPerHour: 10, maxWaitingSeconds: 60, maxUnservedSeconds: 1e9, maxHorizonSeconds: 1e9 };
const raise = () => createPostgresStore({ db: db() }).lookForAlerts(limits, []);
beforeEach(() => emptyTables(db(), 'job_alerts'));

test('a breaker that has opened is an alert', async () => {
  await add(fragile, [1, 2]);
  const error = { code: 'away', type: 'Error', message: 'away', stack: null };
  await createPostgresStore({ db: db() }).settle(
    (await claim()).map(({ id, fence, gates }) => ({
      ...{ id, fence, gates: gates!, kind: 'fail' as const, error, abort: null, delayMs: 0 },
    })),
  );
  expect(await raise()).toMatchObject([
    {
      name: 'breaker_open',
      subject: 'breaker/fragile',
      facts: { rule: 'breaker/fragile', state: 'open', seconds: expect.any(Number), keys: 1 },
    },
  ]);
});

test('a dead run that blocks its order is an alert while others wait for it', async () => {
  const [first] = await add(book, [7]);
  await bury(await claim());
  expect(await raise()).toEqual([]);
  await add(book, [7]);
  expect(await raise()).toMatchObject([
    { name: 'order_blocked', facts: { rule: 'order/book.account', type: 'book', id: first } },
  ]);
});

test('a run that has waited at a gate for too long is an alert, unless it is paused', async () => {
  await add(mail, [1]);
  await claim();
  const [late] = await add(mail, [2], { runAt: new Date(Date.now() - 3_600_000) });
  expect(await raise()).toMatchObject([
    { name: 'held_job_waits_too_long', facts: { rule: 'limit/smtp', type: 'mail', id: late, limit: 60 } },
  ]);
  await emptyTables(db(), 'job_alerts');
  await db().$executeRaw`DELETE FROM duework.job_runs WHERE status = 'running'`;
  await openQueue(db()).pauseType('mail');
  await add(mail, [3]);
  expect(await raise()).toEqual([]);
});
