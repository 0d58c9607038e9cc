import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { type AlertCondition, type AlertMessage, alertNames } from '@duework/queue-core';
import { pino } from 'pino';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { readSettings } from '../settings/env.js';
import { toAlertBody } from './alert-body.js';
import { loadMailer } from './load-mailer.js';
import { mailAlerts, writeAlertMail } from './mail-alerts.js';

const alert: AlertMessage = {
  name: 'too_many_dead_jobs',
  subject: 'send_mail',
  severity: 'warning',
  facts: { type: 'send_mail', deadInTheLastHour: 11, limit: 10, error: 'smtp_451' },
  status: 'raised',
  raisedAt: new Date('2026-11-20T11:00:00Z'),
  resolvedAt: null,
  message: 1,
  isFirst: true,
  ways: ['mail'],
};
const over: AlertMessage = { ...alert, status: 'resolved', resolvedAt: new Date('2026-11-20T12:00:00Z'), message: 2 };
const now = (): Date => new Date('2026-11-20T12:00:00Z');
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const refusal = (responseCode: number): Error =>
  Object.assign(new Error('not ana-geheim@example.com'), { responseCode });

/** A real mail server; `mails` are those it has taken. */
async function startServer(
  options: SMTPServerOptions = {},
): Promise<{ readonly url: string; readonly mails: string[] }> {
  const mails: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onData(stream, _session, done) {
      let content = '';
      stream.setEncoding('utf8').on('data', (chunk) => (content += String(chunk)));
      stream.on('end', () => {
        mails.push(content);
        done();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => new Promise<void>((resolve) => server.close(resolve)));
  return { url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, mails };
}

/** Tells the alerts once: with the log lines, and what is told. */
async function mail(url: string, { to = 'ana-geheim@example.com', alerts = [alert], when = '' } = {}) {
  const catalog = [] as never;
  const options = { databaseUrl: 'postgres://a@b/c', queues: undefined };
  const settings = readSettings(options, catalog, { ALERT_SMTP_URL: url, ALERT_MAIL_TO: to, ALERT_MAIL_WHEN: when });
  const mailer = (await loadMailer(settings))!;
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (text) => void lines.push(JSON.parse(text) as Record<string, unknown>) });
  const wish = settings.alertMailWhen ?? { only: {}, quiet: null };
  const way = mailAlerts({ log, now, mailer, wish, consoleUrl: 'https://jobs.example.com/console' });
  return { told: await way.tell(alerts, 'tester'), lines };
}

test('an alert is mailed with a sentence, what to do, a link and its facts', async () => {
  const { url, mails } = await startServer();
  expect(await mail(url, { to: 'ana@example.com, bo@example.com' })).toEqual({ told: [alert], lines: [] });
  expect(mails).toHaveLength(1);
  const text = mails[0]!.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  for (const line of [
    'From: ana@example.com',
    'To: ana@example.com, bo@example.com',
    'Subject: [duework] too_many_dead_jobs/send_mail',
    'Auto-Submitted: auto-generated',
    'Jobs of send_mail that were given up within the last hour: 11, most with smtp_451; the limit is 10.',
    'https://jobs.example.com/console/jobs?filter=status%3Adead%20since%3A1h%20type%3Asend_mail',
    'deadInTheLastHour: 11',
  ])
    expect(text).toContain(`${line}\r\n`);
  expect(text).toContain('warning, on since 2026-11-20T11:00:00.000Z, told by tester.');
});

test('that it is over is mailed, with how long it was on', async () => {
  const { url, mails } = await startServer();
  await mail(url, { alerts: [over] });
  const text = mails[0]!.replaceAll('=\r\n', '');
  expect(text).toContain('Subject: [duework] over: too_many_dead_jobs/send_mail\r\n');
  expect(text).toContain('It is over after 3600 s. It was: Jobs of send_mail');
});

test('all that one look has found is one mail', async () => {
  const { url, mails } = await startServer();
  const other: AlertMessage = { ...alert, subject: 'send_bill', facts: { ...alert.facts, type: 'send_bill' } };
  expect((await mail(url, { alerts: [alert, over, other] })).told).toHaveLength(3);
  expect(mails).toHaveLength(1);
  expect(mails[0]).toContain('Subject: [duework] too_many_dead_jobs/send_mail and 2 more');
  expect(mails[0]).toContain('send_bill');
});

test('what nobody wants is not mailed, and what comes in quiet hours is later', async () => {
  const { url, mails } = await startServer();
  const critical: AlertMessage = { ...alert, severity: 'critical' };
  expect((await mail(url, { when: 'severity=critical' })).told).toEqual([alert]);
  expect((await mail(url, { when: 'quiet=11:30-13:00' })).told).toEqual([]);
  expect(mails).toEqual([]);
  expect((await mail(url, { when: 'quiet=11:30-13:00', alerts: [critical, alert] })).told).toEqual([critical]);
  expect((await mail(url, { when: 'quiet=11:30-13:00@Europe/Berlin' })).told).toEqual([alert]);
  expect(mails).toHaveLength(2);
});

test('a mail that the server puts off is not told, and each failure is logged without an address', async () => {
  let tries = 0;
  const { url, mails } = await startServer({
    onRcptTo: (_address, _session, done) => (++tries < 2 ? done(refusal(451)) : done()),
  });
  const { lines, told } = await mail(url);
  expect(told).toEqual([]);
  expect(lines).toMatchObject([
    {
      msg: 'alert.unsent',
      alert: 'too_many_dead_jobs',
      key: 'too_many_dead_jobs/send_mail',
      reason: 'smtp_451',
      isAgain: true,
    },
  ]);
  expect(JSON.stringify(lines)).not.toContain('geheim');
  expect((await mail(url)).told).toEqual([alert]);
  expect(mails).toHaveLength(1);
});

test('a mail that the server refuses for good is not sent again', async () => {
  const { url } = await startServer({ onRcptTo: (_address, _session, done) => done(refusal(550)) });
  const { lines, told } = await mail(url);
  expect(told).toEqual([alert]);
  expect(lines).toMatchObject([{ msg: 'alert.unsent', reason: 'smtp_550', isAgain: false }]);
  expect(JSON.stringify(lines)).not.toContain('geheim');
});

test('a mail server that is away has not told it', async () => {
  const { lines, told } = await mail('smtp://ana:geheim@127.0.0.1:1');
  expect(told).toEqual([]);
  expect(lines).toMatchObject([{ reason: expect.stringMatching(/^E[A-Z]+$/), isAgain: true }]);
  expect(JSON.stringify(lines)).not.toContain('geheim');
});

test('a refused recipient does not keep the mail from the others, and is logged', async () => {
  const { url, mails } = await startServer({
    onRcptTo: ({ address }, _session, done) => (address.startsWith('ana') ? done(refusal(550)) : done()),
  });
  const { lines, told } = await mail(url, { to: 'ana-geheim@example.com, bo@example.com' });
  expect([mails.length, told]).toEqual([1, [alert]]);
  expect(lines).toMatchObject([{ msg: 'alert.unsent', reason: 'recipients_refused', refused: 1 }]);
});

const facts: Record<AlertCondition['name'], AlertCondition['facts']> = {
  too_many_dead_jobs: { deadInTheLastHour: 11, limit: 10 },
  test: { by: 'person:ana' },
  effect_unknown: { type: 'send_mail', runs: 3, id: '7' },
  oldest_job_waits_too_long: { queue: 'mail', waitingSeconds: 400, limit: 300 },
  schedule_late: { schedule: 'nightly', dueAt: '2026-11-20T02:00:00Z', limitSeconds: 300 },
  horizon_pinned: {
    kind: 'transaction',
    pinnedSeconds: 400,
    limit: 300,
    remedy: 'SELECT pg_terminate_backend(7)',
  },
  job_released_too_often: { type: 'export_all', id: '7', releases: 6, limit: 5 },
  breaker_open: { rule: 'breaker/send_mail', state: 'open', seconds: 30, keys: 1 },
  order_blocked: { rule: 'order/book.account', type: 'book', id: '7', seconds: 900, keys: 1 },
  held_job_waits_too_long: {
    rule: 'limit/smtp',
    type: 'send_mail',
    id: '7',
    waitingSeconds: 400,
    limit: 300,
  },
  disk_fills_up: { usedGb: 91.5, diskGb: 100, queueGb: 70, growthGbADay: 3, neededGb: 97, keepDays: 30, daysLeft: 2.8 },
  dead_runs_expire: { runs: 3, keepDeadDays: 90, oldestGoesAt: '2026-11-25T00:00:00Z' },
  failing_job_type: { type: 'send_mail', failed: 15, attempts: 20, share: 0.75, limit: 0.5, seconds: 900 },
  no_worker_for_type: { type: 'send_mail', version: 2, queue: 'mail', waiting: 7, waitingSeconds: 400, limit: 300 },
};

test.each(alertNames)(
  'the mail about %s says what is wrong, of facts that the alert has, and links to its screen',
  (name) => {
    const body = toAlertBody(
      { ...alert, name, subject: 'some/thing', facts: facts[name] },
      'tester',
      now(),
      'https://a.example/console/',
    );
    const { subject, text } = writeAlertMail([body]);
    expect(subject).toBe(`[duework] ${name}/some/thing`);
    expect(text).not.toMatch(/undefined|null|NaN/);
    expect(text.split('\n')[1]).toMatch(/^\S.{20,}/);
    expect(body.url).toMatch(/^https:\/\/a\.example\/console\/[a-z]/);
  },
);
