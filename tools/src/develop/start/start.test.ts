import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { waitUntil } from '../../kit/wait-until.js';
import { spawnStart, type SpawnedStart } from './testing/spawn-start.js';

interface Job {
  readonly id: string;
  readonly status: string;
}

let start: SpawnedStart;
let url = '';

const get = async <T>(path: string): Promise<T> => (await (await fetch(url + path)).json()) as T;
const find = async (filter: string): Promise<readonly Job[]> =>
  (await get<{ jobs: readonly Job[] }>(`/v1/jobs?${new URLSearchParams({ filter, limit: '100' })}`)).jobs;
const press = (button: string): Promise<Response> => fetch(`${url}/shop/${button}`, { method: 'POST' });
const listWorkers = async (): Promise<readonly { pid: number }[]> =>
  (await get<{ workers: readonly { pid: number }[] }>('/v1/workers')).workers;

beforeAll(async () => {
  start = await spawnStart();
  url = start.url;
  await start.untilReady();
});
afterAll(() => start.remove(), 60_000);

test('a start names the console first, signed in, with a morning of the shop in it', async () => {
  expect(/http:\S+/.exec(start.said())?.[0]).toBe(`${url}/console`);
  // what goes well stays in the files
  expect(start.said()).not.toContain('"level":30');
  expect((await fetch(`${url}/console`)).headers.get('content-type')).toMatch(/^text\/html/);
  expect(await get('/v1/principal')).toMatchObject({ kind: 'local' });
  await waitUntil(
    'The morning was not over',
    async () => (await find('status:queued,running type:send_invoice')).length === 0,
  );
  expect(await find('status:succeeded type:send_invoice')).toHaveLength(60);
  expect(await find('status:dead error:smtp_550')).toMatchObject([{ type: 'send_invoice', attempts: 1 }]);
});

test('the shop’s page has the mail server refuse mails, and take them again', async () => {
  await press('refusal');
  await waitUntil('No job failed', async () => (await find('status:failed error:smtp_451')).length > 0);
  expect(await (await fetch(`${url}/shop`)).text()).toContain('Let it take mails again');
  await press('accept-mails');
  expect(await (await fetch(`${start.mailboxUrl}/api/refusal`)).json()).toEqual({ until: null });
  expect(await (await fetch(`${url}/shop`)).text()).not.toContain('Let it take mails again');
});

const says = (words: string): Promise<boolean> =>
  waitUntil(`The page does not say: ${words}`, async () => (await (await fetch(`${url}/shop`)).text()).includes(words));

test('an order with payment later waits for it, is paid, and waits a week to ask for a review', async () => {
  await press('order-later');
  await says('Waits for your payment until');
  const [, id] = /orders\/(\d+)\/pay/.exec(await (await fetch(`${url}/shop`)).text())!;
  await press(`orders/${id}/pay`);
  await says('Invoice and receipt are mailed. Asks for a review on');
});

test.each([
  ['ship', 'PAID'],
  ['refuse', 'CANCELLED'],
])('the desk decides by the link of a mail about an order on account: %s', async (choice, status) => {
  const api = `${start.mailboxUrl}/api/mails`;
  const find = async (): Promise<readonly { id: string; subject: string }[]> =>
    ((await (await fetch(api)).json()) as { mails: { id: string; subject: string }[] }).mails;
  const before = new Set((await find()).map(({ id }) => id));
  await press('order-on-account');
  const mail = await waitUntil('Nobody was asked', async () =>
    (await find()).find(({ id, subject }) => !before.has(id) && subject.startsWith('Ship order ')),
  );
  const { text } = (await (await fetch(`${api}/${mail.id}`)).json()) as { text: string };
  const link = /http:\S+\/approvals\/\S+/.exec(text)![0];
  expect(await (await fetch(link)).text()).toContain(mail.subject);
  const answer = await fetch(link, { method: 'POST', body: new URLSearchParams({ choice }) });
  expect(await answer.text()).toContain(`Thank you: ${choice}.`);
  const [, orderId] = /order (\d+)/.exec(mail.subject)!;
  const order = (): Promise<{ status: string }> => get(`/v1/orders/${orderId}`);
  await waitUntil(`The order is not ${status}`, async () => (await order()).status === status);
});

test('the shop’s page has the worker killed: another one comes, and each of its jobs ends', async () => {
  const [first] = await waitUntil(
    'There is no worker',
    async () => (await listWorkers()).length === 1 && listWorkers(),
  );
  await press('death');
  const [second] = await waitUntil(
    'No other worker came',
    async () => {
      const workers = await listWorkers();
      return workers.length === 1 && workers[0]!.pid !== first!.pid && workers;
    },
    { limitMs: 60_000 },
  );
  expect(second!.pid).not.toBe(first!.pid);
  await waitUntil(
    'Not all have ended',
    async () => (await find('status:queued,running type:send_invoice')).length === 0,
    {
      limitMs: 60_000,
    },
  );
  expect(start.process.exitCode).toBeNull();
});

test('a start that is told to stop stops all of it', async () => {
  expect(await start.stop()).toBe(0);
  await expect(fetch(`${url}/livez`)).rejects.toThrow('fetch failed');
  await expect(fetch(start.mailboxUrl)).rejects.toThrow('fetch failed');
});
