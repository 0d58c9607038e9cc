import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { stopSmtpServer } from './stop-smtp-server.js';
import { connectSmtp } from './testing/connect-smtp.js';
import { startMailbox, type RunningMailbox } from './testing/start-mailbox.js';

/** Longer than any test waits, so that a test which needs it fails. */
const LONG_MS = 50_000;

describe('stopping the SMTP server', () => {
  let running: RunningMailbox;
  beforeEach(async () => {
    running = await startMailbox();
  });
  afterEach(async () => {
    await running.stop();
    await running.remove();
  });

  test('lets a mail that is being sent finish, and answers it', async () => {
    const client = await connectSmtp(running.smtpPort);
    await client.ask('MAIL FROM:<a@duework.test>');
    const stopped = stopSmtpServer(running.smtp, LONG_MS);
    expect(await client.ask('RCPT TO:<b@duework.test>')).toMatch(/^250 /);
    expect(await client.ask('DATA')).toMatch(/^354 /);
    expect(await client.ask('Subject: last\r\n\r\nlast mail\r\n.')).toMatch(/^250 Kept as/);
    expect(await client.readReply()).toMatch(/^421 /);
    expect(await stopped).toBe(0);
    expect(running.mailbox.list({ limit: 10 }).mails.map(({ subject }) => subject)).toEqual(['last']);
  });

  test('does not wait for an idle connection', async () => {
    const client = await connectSmtp(running.smtpPort);
    const stopped = stopSmtpServer(running.smtp, LONG_MS);
    expect(await client.readReply()).toMatch(/^421 /);
    expect(await stopped).toBe(0);
  });

  test('cuts a mail that never ends when the grace time is over', async () => {
    const client = await connectSmtp(running.smtpPort);
    await client.ask('MAIL FROM:<a@duework.test>');
    expect(await stopSmtpServer(running.smtp, 100)).toBe(1);
    expect(await client.readReply()).toMatch(/^421 /);
  });

  test('refuses a new connection', async () => {
    await stopSmtpServer(running.smtp, LONG_MS);
    await expect(running.verify()).rejects.toThrow('ECONNREFUSED');
  });
});
