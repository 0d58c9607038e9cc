import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startMailbox, type RunningMailbox } from '../testing/start-mailbox.js';
import { createRefusal } from './create-refusal.js';

describe('a mailbox that refuses mails', () => {
  let running: RunningMailbox;
  const refuse = (body: unknown) =>
    running.fetch('/api/refusal', { method: 'PUT', body: typeof body === 'string' ? body : JSON.stringify(body) });
  const readUntil = async () =>
    ((await (await running.fetch('/api/refusal')).json()) as { until: string | null }).until;
  beforeEach(async () => {
    running = await startMailbox();
  });
  afterEach(async () => {
    await running.stop();
    await running.remove();
  });

  test('asks to send each mail again later, keeps none, and takes them again once it is told to', async () => {
    expect(await readUntil()).toBeNull();
    expect((await refuse({ seconds: 3_600 })).status).toBe(200);
    await expect(running.send({})).rejects.toMatchObject({ responseCode: 451 });
    expect(running.mailbox.list({ limit: 10 }).total).toBe(0);
    expect(await (await running.fetch('/api/refusal', { method: 'DELETE' })).json()).toEqual({ until: null });
    await running.send({});
    expect(running.mailbox.list({ limit: 10 }).total).toBe(1);
  });

  test('says so on its page, with the button that ends it, and an open page learns of it', async () => {
    const first = await running.fetch('/api/mails');
    expect(await (await running.fetch('/')).text()).not.toContain('data-accept');
    await refuse({ seconds: 60 });
    const etag = first.headers.get('etag') ?? '';
    expect((await running.fetch('/api/mails', { headers: { 'If-None-Match': etag } })).status).toBe(200);
    const page = await (await running.fetch('/')).text();
    expect(page).toMatch(/Every mail is refused until \d\d:\d\d:\d\d .*<button type="button" data-accept>/s);
  });

  test('reads no body that is larger than what it is told by', async () => {
    expect((await refuse('{},'.repeat(1_000_000))).status).toBe(413);
    expect(await readUntil()).toBeNull();
  });

  test.each([[{}], [{ seconds: 0 }], [{ seconds: 3_601 }], [{ seconds: '60' }], ['']])(
    '%j is no time to refuse mails for',
    async (body) => {
      expect((await refuse(body)).status).toBe(400);
      expect(await readUntil()).toBeNull();
    },
  );
});

test('it ends by itself', () => {
  let nowMs = 0;
  const refusal = createRefusal(() => new Date(nowMs));
  expect(refusal.begin(60)).toEqual(new Date(60_000));
  nowMs = 59_999;
  expect(refusal.until()).toEqual(new Date(60_000));
  nowMs = 60_000;
  expect(refusal.until()).toBeNull();
});

test('nobody is at an address below .invalid, whatever else is going on', async () => {
  const running = await startMailbox();
  await expect(running.send({ to: 'ada@nowhere.INVALID' })).rejects.toMatchObject({ responseCode: 550 });
  await running.send({ to: 'ada@invalid.example' });
  await running.stop();
  await running.remove();
});
