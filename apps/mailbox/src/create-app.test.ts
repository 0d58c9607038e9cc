import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { startMailbox, type RunningMailbox } from './testing/start-mailbox.js';

interface Listed {
  readonly mails: readonly { readonly id: string; readonly subject: string; readonly messageId: string }[];
  readonly total: number;
}

describe('the web side of the mailbox', () => {
  let running: RunningMailbox;
  const list = async (query = '') => (await (await running.fetch(`/api/mails${query}`)).json()) as Listed;
  const subjects = async (query: string) => (await list(query)).mails.map(({ subject }) => subject);
  const newestId = async () => (await list()).mails[0]?.id ?? '';
  beforeEach(async () => {
    running = await startMailbox();
  });
  afterEach(async () => {
    await running.stop();
    await running.remove();
  });

  test('answers no page of another site, and none that calls this machine by another name', async () => {
    await running.send({});
    const url = new URL((await running.fetch('/')).url);
    const own = { Origin: url.origin, 'Sec-Fetch-Site': 'same-origin' };
    const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' };
    const ask = (headers: Record<string, string>, method = 'GET', path = '/api/mails'): Promise<number> =>
      new Promise((resolve, reject) => {
        request({ host: url.hostname, port: url.port, path, method, headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        })
          .on('error', reject)
          .end();
      });
    expect(await ask({ Host: `rebound.example.org:${url.port}` })).toBe(403);
    expect(await ask({ Origin: 'https://evil.example.org' })).toBe(403);
    expect(await ask({ 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
    expect(await ask({ Origin: 'http://localhost:3000', 'Sec-Fetch-Site': 'same-site' }, 'DELETE', '/mails')).toBe(403);
    expect(await ask(link, 'DELETE', '/mails')).toBe(403);
    expect((await list()).total).toBe(1);
    expect(await ask(link, 'GET', '/')).toBe(200);
    expect(await ask({ Host: `localhost:${url.port}` })).toBe(200);
    expect(await ask(own, 'DELETE', '/mails')).toBeLessThan(400);
    expect((await list()).total).toBe(0);
  });

  test('runs no script of a mail in the page', async () => {
    const attack = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`;
    await running.send({
      subject: `Subject ${attack}`,
      from: { name: attack, address: 'a@duework.test' },
      text: `Text ${attack}`,
      html: `<p>Html</p></iframe>${attack}`,
      attachments: [{ filename: `name ${attack}.txt`, content: 'x' }],
      headers: { 'X-Attack': attack },
    });
    for (const path of ['/', `/mails/${await newestId()}`, `/?q=${encodeURIComponent(attack)}`]) {
      const answer = await running.fetch(path);
      const page = await answer.text();
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/script-src[^;]*unsafe/);
      const ownScripts = path.startsWith('/mails') ? [] : ['<script src="/assets/mailbox.js" defer>'];
      expect(page.match(/<script[^>]*>/g) ?? []).toEqual(ownScripts);
      expect(page).not.toContain('<img src=x');
    }
    const page = await (await running.fetch(`/mails/${await newestId()}`)).text();
    const frame = /<iframe[^>]*>/.exec(page)?.[0] ?? '';
    expect(frame).toContain('sandbox="');
    expect(frame).not.toMatch(/allow-scripts|allow-same-origin|allow-forms|allow-top-navigation/);
    expect(frame).toContain('&lt;script&gt;alert(1)');
  });

  test('offers an HTML attachment as a download and never shows it', async () => {
    await running.send({ attachments: [{ filename: 'page.html', content: '<script>alert(1)</script>' }] });
    const answer = await running.fetch(`/mails/${await newestId()}/attachments/0`);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test('shows a PDF in the page, byte for byte', async () => {
    const content = Buffer.from([0x25, 0x50, 0x44, 0x46, 0x00, 0xff, 0x0d, 0x0a]);
    await running.send({ attachments: [{ filename: 'Rechnung für "Ada".pdf', content }] });
    const path = `/mails/${await newestId()}/attachments/0`;
    const page = await (await running.fetch(`/mails/${await newestId()}`)).text();
    expect(/<object[^>]*>/.exec(page)?.[0]).toContain(`data="${path}#`);
    const answer = await running.fetch(path);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-disposition')).toBe(
      `inline; filename="Rechnung f_r _Ada_.pdf"; filename*=UTF-8''Rechnung%20f%C3%BCr%20%22Ada%22.pdf`,
    );
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(content);
  });

  test('reads no file outside the folder, whatever the id', async () => {
    const secret = join(running.dir, '..', 'mailbox-secret.eml');
    await writeFile(secret, 'Subject: secret\r\n\r\nsecret');
    await writeFile(join(running.dir, 'inside.eml'), 'Subject: secret\r\n\r\nsecret');
    try {
      for (const id of [
        '..%2Fmailbox-secret',
        '%2e%2e%2fmailbox-secret',
        '..%5cmailbox-secret',
        'inside',
        '%00',
        '.',
      ]) {
        for (const path of [`/mails/${id}`, `/mails/${id}/raw`, `/mails/${id}/attachments/0`, `/api/mails/${id}`]) {
          const answer = await running.fetch(path);
          expect(await answer.text()).not.toContain('secret\r\n');
          // "/api/mails/." is "/api/mails/" by the rules of URLs, and "/mails/./raw" another address that is nowhere.
          expect(answer.status).toBe(404);
        }
        expect(await running.mailbox.readRaw(decodeURIComponent(id))).toBeNull();
      }
    } finally {
      await rm(secret);
    }
  });

  test('filters the list by recipient, subject, Message-ID and duplicate', async () => {
    await running.send({ to: 'Ada@duework.test', subject: 'Invoice 1', messageId: '<1@duework.test>' });
    await running.send({ to: 'bob@duework.test', subject: 'Invoice 2', messageId: '<2@duework.test>' });
    await running.send({ to: 'bob@duework.test', subject: 'Report', messageId: '<2@duework.test>' });
    expect(await subjects('?to=ada@duework.test')).toEqual(['Invoice 1']);
    expect(await subjects('?subject=invoice')).toEqual(['Invoice 2', 'Invoice 1']);
    expect(await subjects('?messageId=2@duework.test')).toEqual(['Report', 'Invoice 2']);
    expect(await subjects(`?messageId=${encodeURIComponent('<1@duework.test>')}`)).toEqual(['Invoice 1']);
    expect(await subjects('?isDuplicate=false')).toEqual(['Invoice 1']);
    expect(await subjects('?q=BOB&subject=rep')).toEqual(['Report']);
    expect(await list('?limit=1')).toMatchObject({ mails: [{ subject: 'Report' }], total: 3 });
  });

  test('pages through the list without a gap or a repetition', async () => {
    for (const subject of ['1', '2', '3', '4', '5']) await running.send({ subject });
    const seen: string[] = [];
    for (let before = ''; ;) {
      const { mails, total } = await list(`?limit=2&before=${before}`);
      expect(total).toBe(5);
      if (mails.length === 0) break;
      seen.push(...mails.map(({ subject }) => subject));
      before = mails.at(-1)?.id ?? '';
    }
    expect(seen).toEqual(['5', '4', '3', '2', '1']);
  });

  test('answers 304 for an unchanged list', async () => {
    const first = await running.fetch('/api/mails');
    const ask = () => running.fetch('/api/mails', { headers: { 'If-None-Match': first.headers.get('etag') ?? '' } });
    expect((await ask()).status).toBe(304);
    await running.send({});
    expect((await ask()).status).toBe(200);
  });

  test('returns a whole mail through the API, and its file as it is on disk', async () => {
    const attachments = [{ filename: 'a.txt', content: 'abc' }];
    await running.send({ subject: 'Whole', text: 'The text', html: '<b>The html</b>', attachments });
    const id = await newestId();
    expect(await (await running.fetch(`/api/mails/${id}`)).json()).toMatchObject({
      id,
      from: 'billing@duework.test',
      to: ['ada@duework.test'],
      subject: 'Whole',
      text: expect.stringContaining('The text'),
      html: expect.stringContaining('<b>The html</b>'),
      headers: expect.arrayContaining([{ name: 'Subject', value: 'Whole' }]),
      attachments: [{ filename: 'a.txt', contentType: 'text/plain', size: 3, url: `/mails/${id}/attachments/0` }],
      isDuplicate: false,
    });
    const raw = await running.fetch(`/mails/${id}/raw`);
    expect(raw.headers.get('content-type')).toBe('message/rfc822');
    expect(await raw.text()).toMatch(/^Return-Path: <billing@duework\.test>\r\nX-Envelope-To: <ada@duework\.test>\r\n/);
  });

  test('answers an error with a problem to programs and with a page to people', async () => {
    const unknown = await running.fetch('/api/mails/20251120T093005123Z-0000deadbeef');
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    const wrong = await running.fetch('/api/mails?limit=0&isDuplicate=maybe');
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toMatchObject({ code: 'wrong_query', detail: expect.stringContaining('limit must be') });
    const page = await running.fetch('/mails/20251120T093005123Z-0000deadbeef');
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8']);
  });

  test('empties the list when it is cleared', async () => {
    await running.send({});
    expect(await (await running.fetch('/mails', { method: 'DELETE' })).json()).toEqual({ cleared: 1 });
    expect((await list()).total).toBe(0);
  });

  test('is ready as long as a mail could be kept', async () => {
    expect((await running.fetch('/livez')).status).toBe(200);
    expect((await running.fetch('/readyz')).status).toBe(200);
    await running.remove();
    await writeFile(running.dir, 'a file where the folder should be');
    expect((await running.fetch('/readyz')).status).toBe(503);
  });
});
