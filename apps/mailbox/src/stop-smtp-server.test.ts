import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { stopSmtpServer } from './stop-smtp-server.js';
import { connectSmtp } from './testing/connect-smtp.js';
import { startMailbox, type RunningMailbox } from './testing/start-mailbox.js';

/** Longer than any test waits: whoever needs it has not kept the promise. */
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

  test('a mail that is being sent is finished and answered', async () => {
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

  test('an idle connection does not hold it', async () => {
    const client = await connectSmtp(running.smtpPort);
    const stopped = stopSmtpServer(running.smtp, LONG_MS);
    expect(await client.readReply()).toMatch(/^421 /);
    expect(await stopped).toBe(0);
  });

  test('a mail that never ends is cut when the grace time is over', async () => {
    const client = await connectSmtp(running.smtpPort);
    await client.ask('MAIL FROM:<a@duework.test>');
    expect(await stopSmtpServer(running.smtp, 100)).toBe(1);
    expect(await client.readReply()).toMatch(/^421 /);
  });

  test('a new connection is refused', async () => {
    await stopSmtpServer(running.smtp, LONG_MS);
    await expect(running.verify()).rejects.toThrow('ECONNREFUSED');
  });
});
