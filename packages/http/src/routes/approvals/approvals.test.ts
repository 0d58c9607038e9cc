import { createKey, readAudit, type Scope } from '@duework/operate';
import { createKeyRing, enqueue, setKeyRing } from '@duework/queue-core';
import { sealLink } from '@duework/queue-core/internals';
import { cleanupNightly, sendInvoice } from '@duework/shop';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { authorizeByKey } from '../../access/authorize/authorize-by-key.js';
import { ask, useTestApi } from '../../testing/use-test-api.js';

const api = useTestApi((parts) => ({ authorize: authorizeByKey(parts.db) }));
const ring = createKeyRing({ current: 'k1', keys: { k1: Buffer.alloc(32, 7).toString('base64') } });
beforeEach(() => setKeyRing(ring));
afterEach(() => setKeyRing(null));

let orders = 0;
/** A job that waits for a decision. */
async function asked({
  by = null as string[] | null,
  until = null as string | null,
  title = 'Refund?',
} = {}): Promise<string> {
  const { id } = await enqueue(api.db, sendInvoice, { orderId: ++orders }, { delay: '1h' });
  const question = JSON.stringify({ title, details: { amount: '<b>9.90 €</b>' }, choices: ['pay', 'keep'], by });
  await api.db.$executeRaw`
    INSERT INTO duework.job_steps (run_id, name, status, asked_seq, done_seq, fence, awaits, awaited, wakes_at, result)
    VALUES (${id}::text::bigint, 'ok: question', 'done', 1, 1, 1, NULL, NULL, NULL, ${question}::text::jsonb),
      (${id}::text::bigint, 'ok', 'waiting', 2, NULL, 1, 'signal', ${`duework.approval ["${id}","ok"]`}::text, ${until}::text::timestamptz, NULL)`;
  return id;
}
const linkOf = (id: string, to = 'ana@example.org'): string =>
  `${api.url}/approvals/${sealLink(ring, { job: id, wait: 'ok', to })}`;
/** As a browser does. */
const PEOPLE = { Accept: 'text/html,application/xhtml+xml' };
const open = (url: string, init: RequestInit = {}) => ask(url, { headers: PEOPLE, ...init });
const send = (url: string, form: Record<string, string>) =>
  open(url, { method: 'POST', body: new URLSearchParams(form) });
let keys = 0;
const keyWith = async (scopes: Scope[], types?: string[]): Promise<Record<string, string>> => {
  const { text } = await createKey(api.db, { name: `key-${++keys}`, scopes, ...(types && { types }) });
  return { Authorization: `Bearer ${text}`, 'Content-Type': 'application/json' };
};
const entriesOf = async (id: string) => (await readAudit(api.db, { kind: 'job', target: id })).entries;

test('whoever has the link sees what is asked on a page that runs nothing, and decides it there once', async () => {
  const id = await asked();
  const link = linkOf(id);
  const shown = await open(link);
  expect(shown.status).toBe(200);
  expect(shown.headers.get('content-security-policy')).toMatch(
    /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/,
  );
  expect(shown.headers.get('cache-control')).toBe('no-store');
  expect(shown.headers.get('referrer-policy')).toBe('no-referrer');
  expect(shown.text).toMatch(/Refund\?.*&lt;b&gt;9\.90 €&lt;\/b&gt;.*ana@example\.org/s);
  expect(shown.text).not.toMatch(/<script|checked/);
  const decided = await send(link, { choice: 'pay', comment: 'as\r\nagreed <i>' });
  expect([decided.status, decided.text]).toEqual([200, expect.stringContaining('Thank you: pay.')]);
  expect(await entriesOf(id)).toMatchObject([
    { by: 'link:ana@example.org', verb: 'approve', reason: 'as agreed <i>', from: '127.0.0.1' },
  ]);
  for (const again of [
    await send(link, { choice: 'keep' }),
    await send(linkOf(id, 'eve@example.org'), { choice: 'keep' }),
  ]) {
    expect(again.status).toBe(409);
    expect(again.text).toMatch(/link:ana@example\.org decided at 20\S+Z: pay\./);
    expect(again.text).not.toContain('<form');
  }
  expect((await open(link)).text).toMatch(/decided at .*as agreed &lt;i&gt;/s);
  expect(await entriesOf(id)).toHaveLength(1);
});

test('a program that sends what the form sends gets a refusal as a problem', async () => {
  const link = linkOf(await asked());
  const post = (choice: string) => ask(link, { method: 'POST', body: new URLSearchParams({ choice }) });
  expect(await post('perhaps')).toMatchObject({ status: 422, body: { code: 'invalid_body' } });
  expect((await post('pay')).status).toBe(200);
  expect(await post('keep')).toMatchObject({ status: 409, body: { code: 'approval_over' } });
});

test('a program that opens the link, asks for its head, or sends its form without a choice decides nothing', async () => {
  const id = await asked();
  const link = linkOf(id);
  for (const method of ['GET', 'HEAD', 'GET']) expect((await ask(`${link}?choice=pay`, { method })).status).toBe(200);
  expect((await ask(link, { method: 'OPTIONS' })).status).toBe(405);
  for (const form of [{}, { choice: '' }, { choice: 'approve' }, { comment: 'x' }] as Record<string, string>[])
    expect((await send(link, form)).status).toBe(422);
  expect(await entriesOf(id)).toEqual([]);
  expect((await send(link, { choice: 'keep' })).status).toBe(200);
});

test('a link that was changed, of another job, or of no key here shows nothing', async () => {
  const id = await asked({ title: 'Secret' });
  const link = linkOf(id);
  const other = createKeyRing({ current: 'k1', keys: { k1: Buffer.alloc(32, 8).toString('base64') } });
  const forged = `${api.url}/approvals/${sealLink(other, { job: id, wait: 'ok', to: 'eve' })}`;
  for (const wrong of [`${link}x`, link.slice(0, -2), forged, `${api.url}/approvals/none`])
    for (const init of [{}, { method: 'POST', body: new URLSearchParams({ choice: 'pay' }) }]) {
      const answer = await ask(wrong, init);
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
      const page = await open(wrong, init);
      expect([page.status, page.text]).toEqual([404, expect.stringContaining('This is not a link to an approval.')]);
    }
  setKeyRing(null);
  expect((await open(link)).text).toContain('This server has no key ring');
  expect((await ask(link)).status).toBe(404);
  expect(await entriesOf(id)).toEqual([]);
});

test('a link ends with the deadline, and is worth nothing to whom nobody asked', async () => {
  const late = linkOf(await asked({ until: '2020-01-01Z' }));
  expect((await open(late)).text).toMatch(/can no longer be decided/);
  expect((await send(late, { choice: 'pay' })).status).toBe(409);
  const id = await asked({ by: ['boss@example.org'], until: '2099-01-01Z' });
  expect((await send(linkOf(id), { choice: 'pay' })).status).toBe(403);
  expect((await open(linkOf(id, 'boss@example.org'))).text).toContain('It works once, until 2099-01-01 00:00 UTC.');
  expect((await send(linkOf(id, 'boss@example.org'), { choice: 'pay' })).status).toBe(200);
});

test('a key with the scope approve sees what is asked, decides, and does nothing else', async () => {
  const id = await asked();
  const headers = await keyWith(['approve']);
  const listed = await api.get(`/v1/jobs/${id}/approvals`, headers);
  expect(listed.body.approvals).toMatchObject([
    { name: 'ok', title: 'Refund?', choices: ['pay', 'keep'], state: 'waiting' },
  ]);
  for (const path of [`/v1/jobs/${id}`, `/v1/jobs/${id}/steps`, '/v1/signals', '/v1/jobs'])
    expect([path, (await api.get(path, headers)).status]).toEqual([path, 403]);
  for (const path of [`/v1/jobs/${id}/cancel`, `/v1/jobs/${id}/change-wait`, '/v1/signals/paid'])
    expect([path, (await api.post(path, {}, headers)).status]).toEqual([path, 403]);
  const path = `/v1/jobs/${id}/approve`;
  expect(await api.post(path, { name: 'ok', choice: 'approve' }, headers)).toMatchObject({
    status: 422,
    body: { code: 'invalid_body', errors: [{ pointer: '/choice' }] },
  });
  expect(await api.post(path, { name: 'none', choice: 'pay' }, headers)).toMatchObject({
    status: 404,
    body: { code: 'approval_not_found' },
  });
  expect(await api.post(path, { name: 'ok', choice: 'pay', reason: 'fine' }, headers)).toMatchObject({
    status: 200,
    body: { state: 'decided', decision: { choice: 'pay', by: `key:key-${keys}`, comment: 'fine' } },
  });
  expect(await api.post(path, { name: 'ok', choice: 'pay' }, headers)).toMatchObject({
    status: 409,
    body: { code: 'approval_over', detail: expect.stringMatching(/^key:key-\d+ decided at /) },
  });
});

test('a key for some types decides for jobs of these alone, and one without the scope for none', async () => {
  const id = await asked();
  const narrow = await keyWith(['approve'], [cleanupNightly.type]);
  expect((await api.post(`/v1/jobs/${id}/approve`, { name: 'ok', choice: 'pay' }, narrow)).status).toBe(404);
  const all = await keyWith(['read', 'signal', 'operate', 'payloads', 'admin']);
  expect(await api.post(`/v1/jobs/${id}/approve`, { name: 'ok', choice: 'pay' }, all)).toMatchObject({
    status: 403,
    body: { code: 'missing_scope' },
  });
  expect(await entriesOf(id)).toEqual([]);
});

test('a link and a key that decide at the same moment make one decision', async () => {
  const headers = await keyWith(['approve']);
  for (let round = 0; round < 10; round++) {
    const id = await asked();
    const link = linkOf(id);
    const answers = await Promise.all([
      send(link, { choice: 'pay' }),
      api.post(`/v1/jobs/${id}/approve`, { name: 'ok', choice: 'keep' }, headers),
      send(link, { choice: 'keep' }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(await entriesOf(id)).toHaveLength(1);
  }
});

test('a wait is changed with a reason, where it can be, and refused in words where not', async () => {
  const id = await asked({ until: '2099-01-01Z' });
  const headers = await keyWith(['operate']);
  const change = (body: object) => api.post(`/v1/jobs/${id}/change-wait`, body, headers);
  expect(await change({ name: 'ok', verb: 'extend' })).toMatchObject({ status: 422, body: { code: 'invalid_body' } });
  expect(await change({ name: 'ok', verb: 'skip', until: '2099-01-01T00:00:00Z' })).toMatchObject({ status: 422 });
  expect(await change({ name: 'ok', verb: 'extend', until: '2098-01-01T00:00:00Z' })).toMatchObject({
    status: 409,
    body: { code: 'wait_not_changeable' },
  });
  expect(await change({ name: 'ok', verb: 'extend', until: '2099-02-01T00:00:00Z', reason: 'ill' })).toMatchObject({
    status: 200,
    body: { isChanged: true },
  });
  expect(await change({ name: 'ok', verb: 'fail', reason: 'fraud' })).toMatchObject({ status: 200 });
  expect(await change({ name: 'ok', verb: 'fail' })).toMatchObject({ status: 409 });
  expect((await entriesOf(id)).map(({ verb, reason }) => [verb, reason])).toEqual([
    ['fail_wait', 'fraud'],
    ['extend_wait', 'ill'],
  ]);
  expect(await api.post('/v1/jobs/999999999/change-wait', { name: 'ok', verb: 'skip' }, headers)).toMatchObject({
    status: 404,
    body: { code: 'job_not_found' },
  });
});
