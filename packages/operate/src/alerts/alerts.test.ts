import { beforeEach, describe, expect, test } from '@jest/globals';
import { createPostgresStore } from '@duework/queue-core';
import { emptyTables, useTestDatabase } from '@duework/testing/fixtures';
import { readAudit } from '../audit/read-audit.js';
import { acknowledgeAlert, silenceAlert, testAlerts } from './change-alert.js';
import { listAlerts } from './list-alerts.js';

const database = useTestDatabase();
const db = () => database.db;
const act = { by: 'person:ana', reason: 'a deploy' };
const look = () =>
  createPostgresStore({ db: db() }).lookForAlerts({ maxWaitingSeconds: 60, maxUnservedSeconds: 1e9 }, []);
const key = 'oldest_job_waits_too_long/mail';

beforeEach(async () => {
  await emptyTables(db(), 'job_runs, job_alerts, alert_silences, xid_samples');
  await db().$executeRaw`
    INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
    VALUES ('mail', 'send', 1, 5, now() - interval '10 minutes', '{}', 10)`;
});

const goBy = (minutes: number) => db().$executeRaw`
  UPDATE duework.job_alerts SET seen_at = seen_at - ${minutes}::int * interval '1 minute',
    told_at = told_at - ${minutes}::int * interval '1 minute'`;

test('what is on is listed with a sentence, who looks after it, and until when it is silent', async () => {
  expect(await listAlerts(db())).toEqual({ alerts: [], silences: [] });
  await look();
  const alert = {
    key,
    name: 'oldest_job_waits_too_long',
    subject: 'mail',
    severity: 'warning',
    facts: { queue: 'mail', waitingSeconds: expect.any(Number), limit: 60 },
    text: expect.stringMatching(/^A due job of the queue mail has been waiting for \d+ s, longer than 60\.$/),
    advice: expect.any(String),
    raisedAt: expect.any(Date),
    acknowledgedAt: null,
    acknowledgedBy: null,
    silencedUntil: null,
  };
  expect(await listAlerts(db())).toEqual({ alerts: [alert], silences: [] });
  await acknowledgeAlert(db(), key, act);
  await silenceAlert(db(), 'oldest_job_waits_too_long', '2h', act);
  expect(await listAlerts(db())).toEqual({
    alerts: [
      { ...alert, acknowledgedAt: expect.any(Date), acknowledgedBy: 'person:ana', silencedUntil: expect.any(Date) },
    ],
    silences: [
      {
        key: 'oldest_job_waits_too_long',
        since: expect.any(Date),
        until: expect.any(Date),
        by: 'person:ana',
        reason: 'a deploy',
      },
    ],
  });
  await db().$executeRaw`DELETE FROM duework.job_runs`;
  await goBy(3);
  await look();
  expect((await listAlerts(db())).alerts).toEqual([]);
});

test('who looks after an alert has nobody told that it lasts, until it comes back', async () => {
  await look();
  await acknowledgeAlert(db(), key, act);
  await goBy(61);
  expect(await look()).toEqual([]);
  await db().$executeRaw`DELETE FROM duework.job_runs`;
  await goBy(3);
  expect(await look()).toMatchObject([{ status: 'resolved' }]);
  await expect(acknowledgeAlert(db(), key, act)).rejects.toMatchObject({ code: 'alert_not_found' });
  await db().$executeRaw`
    INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
    VALUES ('mail', 'send', 1, 5, now() - interval '10 minutes', '{}', 10)`;
  expect(await look()).toMatchObject([{ status: 'raised' }]);
  expect((await listAlerts(db())).alerts).toMatchObject([{ acknowledgedBy: null }]);
  await goBy(61);
  expect(await look()).toMatchObject([{ status: 'lasts' }]);
});

test('a silence ends when somebody ends it, and then what is on is told', async () => {
  await silenceAlert(db(), key, '2h', act);
  expect(await look()).toEqual([]);
  await silenceAlert(db(), key, null, act);
  expect(await look()).toMatchObject([{ subject: 'mail', status: 'raised' }]);
  await expect(silenceAlert(db(), key, null, act)).rejects.toMatchObject({ code: 'alert_not_found' });
});

test('a test is told once by whoever looks, with the severity that was asked for, and is over by itself', async () => {
  await look();
  await testAlerts(db(), 'critical', act);
  expect(await look()).toMatchObject([
    { name: 'test', severity: 'critical', status: 'raised', facts: { by: 'person:ana' } },
  ]);
  expect(await look()).toEqual([]);
  await goBy(3);
  expect(await look()).toMatchObject([{ name: 'test', status: 'resolved' }]);
  await testAlerts(db());
  expect(await look()).toMatchObject([{ name: 'test', severity: 'info', status: 'raised' }]);
});

test('every change is in the audit', async () => {
  await db().$executeRaw`SELECT 1`;
  await look();
  await silenceAlert(db(), key, '2h', act);
  await silenceAlert(db(), key, null, act);
  await acknowledgeAlert(db(), key, act);
  await testAlerts(db(), 'info', act);
  const { entries } = await readAudit(db(), { limit: 4 });
  expect(entries.map(({ verb, kind, target, by }) => [verb, kind, target, by])).toEqual([
    ['test', 'alert', 'test', 'person:ana'],
    ['acknowledge', 'alert', key, 'person:ana'],
    ['end_silence', 'alert', key, 'person:ana'],
    ['silence', 'alert', key, 'person:ana'],
  ]);
});

describe('is refused:', () => {
  test.each([
    ['a name that is none', () => silenceAlert(db(), 'too_many', '2h')],
    ['an empty key', () => silenceAlert(db(), '', '2h')],
    ['all, to look after', () => acknowledgeAlert(db(), '*')],
    ['no duration', () => silenceAlert(db(), key, 'long' as never)],
    ['more than a year', () => silenceAlert(db(), key, '367d')],
    ['a severity that is none', () => testAlerts(db(), 'urgent' as never)],
  ])('%s', async (_, ask) => {
    await expect(ask()).rejects.toMatchObject({ code: 'invalid_option' });
  });
});
