import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_MAIL_BYTES } from './create-smtp-server.js';
import { connectSmtp } from './testing/connect-smtp.js';
import { startMailbox, type RunningMailbox } from './testing/start-mailbox.js';

describe('the SMTP side of the mailbox', () => {
  let running: RunningMailbox;
  const restart = async (options: Parameters<typeof startMailbox>[0]) => {
    await running.stop();
    running = await startMailbox({ dir: running.dir, ...options });
  };

  beforeEach(async () => {
    running = await startMailbox();
  });
  afterEach(async () => {
    await running.stop();
    await running.remove();
  });

  test('has an accepted mail on disk before it answers', async () => {
    const facts: string[] = [];
    await restart({
      intercept: (mailbox) => ({
        async accept(envelope, content) {
          const mail = await mailbox.accept(envelope, content);
          facts.push(existsSync(join(running.dir, `${mail?.id}.eml`)) ? 'on disk' : 'not on disk');
          // A whole SMTP conversation: an early answer would have arrived by now.
          await running.verify();
          return mail;
        },
      }),
    });
    const { response } = await running.send({ text: 'Keep me' });
    facts.push('answered');
    expect(facts).toEqual(['on disk', 'answered']);
    const id = /^250 Kept as (\S+)$/.exec(response)?.[1];
    expect(await readFile(join(running.dir, `${id}.eml`), 'utf8')).toContain('Keep me');
  });

  test('keeps and marks two mails with one Message-ID', async () => {
    await running.send({ messageId: '<once@duework.test>', subject: 'First' });
    await running.send({ messageId: '<other@duework.test>', subject: 'Other' });
    await running.send({ messageId: '<once@duework.test>', subject: 'Second' });
    expect(await readdir(running.dir)).toHaveLength(3);
    const { mails } = running.mailbox.list({ limit: 10 });
    expect(mails.map(({ subject, isDuplicate }) => [subject, isDuplicate])).toEqual([
      ['Second', true],
      ['Other', false],
      ['First', true],
    ]);
    const page = await (await running.fetch('/')).text();
    expect(page.match(/>duplicate</g)).toHaveLength(2);
    expect(page).toContain('2 duplicates');
  });

  test('refuses a mail over the limit', async () => {
    const attachments = [{ filename: 'large.bin', content: Buffer.alloc(MAX_MAIL_BYTES) }];
    await expect(running.send({ attachments })).rejects.toMatchObject({ responseCode: 552 });
    expect(await readdir(running.dir)).toEqual([]);
    expect(running.mailbox.list({ limit: 10 }).total).toBe(0);
  });

  test('announces its limit, and refuses a mail that declares a larger size before it is sent', async () => {
    const client = await connectSmtp(running.smtpPort);
    expect(client.greeting).toContain(`SIZE ${MAX_MAIL_BYTES}`);
    expect(await client.ask(`MAIL FROM:<a@duework.test> SIZE=${MAX_MAIL_BYTES + 1}`)).toMatch(/^552 /);
    client.leave();
  });

  test('offers neither sign-in nor TLS', async () => {
    const client = await connectSmtp(running.smtpPort);
    expect(client.greeting).not.toMatch(/AUTH|STARTTLS/);
    client.leave();
  });

  test('keeps nothing of a client that leaves in the middle of a mail', async () => {
    let left: () => void;
    const refused = new Promise<void>((resolve) => (left = resolve));
    running.smtp.onClose = () => left();
    const client = await connectSmtp(running.smtpPort);
    await client.ask('MAIL FROM:<a@duework.test>');
    await client.ask('RCPT TO:<b@duework.test>');
    expect(await client.ask('DATA')).toMatch(/^354 /);
    client.write('Subject: half\r\n\r\nhalf a ma');
    client.leave();
    await refused;
    expect(await readdir(running.dir)).toEqual([]);
    expect(running.logLines.filter(({ msg }) => msg === 'mail.failed')).toEqual([]);
  });

  test('answers "send it again" when the disk refuses', async () => {
    await restart({ intercept: () => ({ accept: () => Promise.reject(new Error('no space left')) }) });
    await expect(running.send({})).rejects.toMatchObject({ responseCode: 451 });
    expect(running.logLines).toContainEqual(expect.objectContaining({ msg: 'mail.failed', reason: 'no space left' }));
  });

  test('refuses permanently a mail that no restart could show', async () => {
    const open = (level: number) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`;
    const raw = `Subject: nested\r\n${Array.from({ length: 300 }, (_, level) => open(level)).join('')}`;
    await expect(running.send({ raw })).rejects.toMatchObject({ responseCode: 554 });
    expect(await readdir(running.dir)).toEqual([]);
  });

  test('logs the id of a mail and never quotes the mail', async () => {
    await running.send({ messageId: '<logged@duework.test>', to: 'a@duework.test, b@duework.test', text: 'a secret' });
    const [line] = running.logLines.filter(({ msg }) => msg === 'mail.received');
    expect(line).toMatchObject({ toCount: 2, messageId: '<logged@duework.test>' });
    expect(line).toMatchObject({ id: expect.any(String), size: expect.any(Number) });
    expect(JSON.stringify(running.logLines)).not.toContain('a secret');
  });
});
