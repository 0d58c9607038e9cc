import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readdir, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startMailbox, type RunningMailbox } from './testing/start-mailbox.js';

const all = { limit: 100 };

describe('the mailbox', () => {
  let running: RunningMailbox;
  const restart = async () => {
    await running.stop();
    running = await startMailbox({ dir: running.dir });
  };
  beforeEach(async () => {
    running = await startMailbox();
  });
  afterEach(async () => {
    await running.stop();
    await running.remove();
  });

  test('shows the same mails after a restart', async () => {
    await running.send({ subject: 'Grüße 🎉', messageId: '<one@duework.test>' });
    await running.send({ subject: 'Two', messageId: '<one@duework.test>', bcc: 'hidden@duework.test' });
    await running.send({ subject: 'Three', attachments: [{ filename: 'a.pdf', content: '%PDF-1.4' }] });
    const before = running.mailbox.list(all);
    await restart();
    expect(running.mailbox.list(all)).toEqual(before);
    expect(before.mails.map(({ subject }) => subject)).toEqual(['Three', 'Two', 'Grüße 🎉']);
    expect(before.mails[1]).toMatchObject({ to: ['ada@duework.test', 'hidden@duework.test'], isDuplicate: true });
    expect(before.mails[0]?.attachments).toEqual([{ filename: 'a.pdf', contentType: 'application/pdf', size: 8 }]);
  });

  test('takes the recipients from the envelope, whatever the mail says', async () => {
    const raw = 'X-Envelope-To: <forged@duework.test>\r\nTo: shown@duework.test\r\nSubject: x\r\n\r\nx';
    await running.send({ envelope: { from: 'a@duework.test', to: ['real@duework.test'] }, raw });
    await restart();
    expect(running.mailbox.list(all).mails[0]?.to).toEqual(['real@duework.test']);
  });

  test('logs a broken file and shows the others', async () => {
    await running.send({ subject: 'Good' });
    await writeFile(join(running.dir, '20251120T093005123Z-0000deadbeef.eml'), '');
    await writeFile(join(running.dir, 'not-an-id.eml'), 'Subject: x\r\n\r\nx');
    await writeFile(join(running.dir, 'notes.txt'), 'not a mail');
    await restart();
    expect(running.mailbox.list(all).mails.map(({ subject }) => subject)).toEqual(['Good']);
    const skipped = running.logLines.filter(({ msg }) => msg === 'mail.skipped').map(({ file }) => file);
    expect(skipped.sort()).toEqual(['20251120T093005123Z-0000deadbeef.eml', 'not-an-id.eml']);
  });

  test('never shows a file that a crash left half-written, and removes it when it is old', async () => {
    const [young, old] = ['20251120T093005123Z-0000aaaaaaaa.tmp', '20251120T093005123Z-0000bbbbbbbb.tmp'];
    for (const name of [young, old]) await writeFile(join(running.dir, name), 'Subject: half\r\n\r\nhal');
    await utimes(join(running.dir, old), new Date(0), new Date(0));
    await restart();
    expect(running.mailbox.list(all).total).toBe(0);
    expect(await readdir(running.dir)).toEqual([young]);
  });

  test('removes the mails and no other file when it is cleared', async () => {
    await running.send({ messageId: '<again@duework.test>' });
    await writeFile(join(running.dir, 'notes.txt'), 'mine');
    const before = running.mailbox.revision();
    expect(await running.mailbox.clear()).toBe(1);
    expect(await readdir(running.dir)).toEqual(['notes.txt']);
    expect(running.mailbox.revision()).not.toBe(before);
    await running.send({ messageId: '<again@duework.test>' });
    expect(running.mailbox.list(all).mails.map(({ isDuplicate }) => isDuplicate)).toEqual([false]);
  });

  test('drops a mail from the list when its file was removed by hand', async () => {
    await running.send({});
    const [mail] = running.mailbox.list(all).mails;
    await unlink(join(running.dir, `${mail?.id}.eml`));
    expect(await running.mailbox.read(mail?.id ?? '')).toBeNull();
    expect(running.mailbox.list(all).total).toBe(0);
  });

  test('makes its folder again when it was removed meanwhile', async () => {
    await running.remove();
    await running.send({ subject: 'After' });
    expect(await readdir(running.dir)).toHaveLength(1);
  });
});
