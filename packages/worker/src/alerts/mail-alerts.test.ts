import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import type { RaisedAlert } from '@duework/queue-core';
import { pino } from 'pino';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { readSettings } from '../settings/env.js';
import { alertNames } from './describe-alert.js';
import { loadMailer } from './load-mailer.js';
import { mailAlerts, writeAlertMail } from './mail-alerts.js';

const alert: RaisedAlert = { name: 'too_many_dead_jobs', facts: { deadInTheLastHour: 11, limit: 10 } };
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

/** Raises the alert, and resolves when nothing more is tried: with the log lines, and the pauses between the tries. */
async function mail(url: string, to = 'ana-geheim@example.com') {
  const catalog = [] as never;
  const options = { databaseUrl: 'postgres://a@b/c', queues: undefined };
  const settings = readSettings(options, catalog, { ALERT_SMTP_URL: url, ALERT_MAIL_TO: to });
  const mailer = (await loadMailer(settings))!;
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (text) => void lines.push(JSON.parse(text) as Record<string, unknown>) });
  const pauses: number[] = [];
  let calls = 0;
  let tellEnd = (): void => {};
  const ended = new Promise<void>((resolve) => (tellEnd = resolve));
  const emit = mailAlerts({
    log: {
      error(facts: object, message?: string) {
        log.error(facts, message);
        if ((facts as { againInMs?: number | null }).againInMs === null) tellEnd();
      },
    },
    now,
    pause: async (ms) => void pauses.push(ms),
    mailer: {
      ...mailer,
      async send(given) {
        calls++;
        const answer = await mailer.send(given);
        // the line about refused recipients comes right after
        setImmediate(tellEnd);
        return answer;
      },
    },
  });
  emit({ name: 'alert.raised', worker: 'tester', alert });
  await ended;
  return { lines, pauses, calls };
}

test('an alert is mailed with a sentence, what to do, and its facts', async () => {
  const { url, mails } = await startServer();
  expect(await mail(url, 'ana@example.com, bo@example.com')).toEqual({ lines: [], pauses: [], calls: 1 });
  expect(mails).toHaveLength(1);
  for (const line of [
    'From: ana@example.com',
    'To: ana@example.com, bo@example.com',
    'Subject: [duework] too_many_dead_jobs',
    'Auto-Submitted: auto-generated',
    'Jobs that were given up within the last hour: 11; the limit is 10.',
    'deadInTheLastHour: 11',
  ])
    expect(mails[0]).toContain(`${line}\r\n`);
  expect(mails[0]!.replaceAll('=\r\n', '')).toContain('Raised by tester at 2026-11-20T12:00:00.000Z.');
});

test('a mail that the server puts off is sent again, and each failure is logged without an address', async () => {
  let tries = 0;
  const { url, mails } = await startServer({
    onRcptTo: (_address, _session, done) => (++tries < 3 ? done(refusal(451)) : done()),
  });
  const { lines, pauses } = await mail(url);
  expect(mails).toHaveLength(1);
  expect(pauses).toEqual([10_000, 60_000]);
  expect(lines).toMatchObject([
    { msg: 'alert.unsent', alert: 'too_many_dead_jobs', reason: 'smtp_451', againInMs: 10_000 },
    { msg: 'alert.unsent', reason: 'smtp_451', againInMs: 60_000 },
  ]);
  expect(JSON.stringify(lines)).not.toContain('geheim');
});

test('a mail that the server refuses for good is not sent again', async () => {
  const { url } = await startServer({ onRcptTo: (_address, _session, done) => done(refusal(550)) });
  const { lines, calls } = await mail(url);
  expect(calls).toBe(1);
  expect(lines).toMatchObject([{ msg: 'alert.unsent', reason: 'smtp_550', againInMs: null }]);
  expect(JSON.stringify(lines)).not.toContain('geheim');
});

test('a mail server that stays away is asked four times', async () => {
  const { lines, pauses, calls } = await mail('smtp://ana:geheim@127.0.0.1:1');
  expect(calls).toBe(4);
  expect(pauses).toEqual([10_000, 60_000, 300_000]);
  expect(lines).toHaveLength(4);
  expect(lines[3]).toMatchObject({ reason: expect.stringMatching(/^E[A-Z]+$/), againInMs: null });
  expect(JSON.stringify(lines)).not.toContain('geheim');
});

test('a refused recipient does not keep the mail from the others, and is logged', async () => {
  const { url, mails } = await startServer({
    onRcptTo: ({ address }, _session, done) => (address.startsWith('ana') ? done(refusal(550)) : done()),
  });
  const { lines, calls } = await mail(url, 'ana-geheim@example.com, bo@example.com');
  expect([mails.length, calls]).toEqual([1, 1]);
  expect(lines).toMatchObject([{ msg: 'alert.unsent', reason: 'recipients_refused', refused: 1 }]);
});

const facts: Record<RaisedAlert['name'], RaisedAlert['facts']> = {
  too_many_dead_jobs: { deadInTheLastHour: 11, limit: 10 },
  oldest_job_waits_too_long: { waitingSeconds: 400, limit: 300 },
  slot_missing: { schedules: 2, schedule: 'nightly', slotAt: '2026-11-20T02:00:00Z', limitSeconds: 300 },
  horizon_pinned: {
    kind: 'transaction',
    pinnedSeconds: 400,
    others: 0,
    limit: 300,
    remedy: 'SELECT pg_terminate_backend(7)',
  },
  job_released_too_often: { type: 'export_all', id: '7', releases: 6, limit: 5, others: 0 },
  breaker_open: { rule: 'breaker/send_mail', state: 'open', seconds: 30, others: 0 },
  order_blocked: { rule: 'order/book.account', type: 'book', id: '7', seconds: 900, others: 0 },
  held_job_waits_too_long: {
    rule: 'limit/smtp',
    type: 'send_mail',
    id: '7',
    waitingSeconds: 400,
    limit: 300,
    others: 0,
  },
  dead_runs_expire: { runs: 3, keepDeadDays: 90, oldestGoesAt: '2026-11-25T00:00:00Z' },
  failing_job_type: { type: 'send_mail', failed: 15, attempts: 20, share: 0.75, limit: 0.5, seconds: 900, others: 0 },
  no_worker_for_type: { type: 'send_mail', version: 2, queue: 'mail', waiting: 7, waitingSeconds: 400, limit: 300 },
};

test.each(alertNames)('the mail about %s says what is wrong, of facts that the alert has', (name) => {
  const { subject, text } = writeAlertMail({ name, facts: facts[name] }, 'tester', now());
  expect(subject).toBe(`[duework] ${name}`);
  expect(text).not.toMatch(/undefined|null|NaN/);
  expect(text.split('\n')[1]).toMatch(/^\S.{20,}/);
});
