import { defineCatalog, defineJob } from '@duework/contracts';
import { useTestApi } from '@duework/http/testing';
import { registerDefinitions } from '@duework/queue-core';
import { emptyTables } from '@duework/testing/fixtures';
import { beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createClient } from './create-client.js';

const mail = defineJob({
  type: 'mail',
  payload: z.object({ folder: z.string() }),
  limits: [
    { name: 'smtp', max: 1 },
    { by: 'folder', max: 1 },
  ],
});
const catalog = defineCatalog([mail]);
const api = useTestApi(() => ({ catalog }));
let ids: string[] = [];

beforeEach(async () => {
  await emptyTables(api.db, 'job_runs, flow_rules, flow_keys, flow_waits, flow_looks');
  await registerDefinitions(api.db, catalog);
  ids = [];
  for (const folder of ['in/2026', 'in/2026', 'out']) ids.push((await client().enqueue(mail, { folder })).id);
  await api.db.$queryRaw`SELECT duework.take_looks(1000)`;
});

const client = () => createClient({ url: api.url });
const actions = async (): Promise<object[]> =>
  api.db.$queryRaw`SELECT verb, reason FROM duework.audit_entries WHERE kind = 'flow_rule' ORDER BY id`;

test('rules are listed and read, with what holds, who runs and who waits', async () => {
  const { flow } = client();
  const rules = await flow.list();
  expect(rules.map(({ name, running, waiting }) => [name, running, waiting])).toEqual([
    ['limit/mail.folder', 1, 0],
    ['limit/smtp', 1, 2],
  ]);
  expect(await flow.get('limit/smtp')).toEqual(rules[1]);
  await expect(flow.get('limit/none')).rejects.toMatchObject({ code: 'flow_rule_not_found', status: 404 });
});

test('a job tells at which gate it waits, and the keys of a rule who holds them, page by page, with dates as dates', async () => {
  const { flow, getJob } = client();
  expect((await getJob(ids[1]!)).job).toMatchObject({
    heldBy: 'limit/smtp',
    gates: [
      { key: 'limit/smtp', units: 1 },
      { key: 'limit/mail.folder/in/2026', units: 1 },
    ],
  });
  const { keys } = await flow.keys('limit/smtp');
  expect(keys).toMatchObject([
    {
      key: 'limit/smtp',
      value: null,
      used: 1,
      waiting: 2,
      waitingSince: expect.any(Date),
      nextAt: null,
      closedUntil: null,
      breaker: null,
    },
  ]);
  expect(keys[0]!.holders).toMatchObject([{ id: ids[0], type: 'mail', since: expect.any(Date), lockedUntil: null }]);
  const first = await flow.keys('limit/mail.folder', { limit: 1 });
  expect(first.keys).toMatchObject([{ key: 'limit/mail.folder/in/2026', value: 'in/2026' }]);
  const rest = await flow.keys('limit/mail.folder', { cursor: first.nextCursor! });
  expect(rest).toMatchObject({ keys: [{ value: 'out' }], nextCursor: null });
  const found = await flow.keys('limit/mail.folder', { value: 'ou', busy: false });
  expect(found.keys).toMatchObject([{ value: 'out' }]);
});

test('a change is told before, made, and taken back', async () => {
  const { flow } = client();
  expect(await flow.preview('limit/smtp', { max: 5 })).toMatchObject({
    before: { max: 1 },
    after: { max: 5 },
    letIn: 2,
    over: 0,
  });
  expect(await flow.get('limit/smtp')).toMatchObject({ changed: null });
  expect(await flow.change('limit/smtp', { max: 5 }, { reason: 'more is allowed' })).toMatchObject({
    declared: { max: 1 },
    terms: { max: 5 },
    changedAt: expect.any(Date),
  });
  expect(await flow.change('limit/smtp', null)).toMatchObject({ terms: { max: 1 }, changed: null, changedAt: null });
  await expect(flow.change('limit/smtp', { max: 0 })).rejects.toMatchObject({ code: 'invalid_option', status: 422 });
  expect((await actions()).slice(-2)).toEqual([
    { verb: 'change_flow_rule', reason: 'more is allowed' },
    { verb: 'change_flow_rule', reason: null },
  ]);
});

test('a key is closed and opened, also one whose value has slashes', async () => {
  const { flow } = client();
  const key = 'limit/mail.folder/in/2026';
  for (const one of [key, 'limit/smtp']) {
    const closed = await flow.close(one, '10m', { reason: 'they call us' });
    expect(closed).toMatchObject({ key: one, closedUntil: expect.any(Date) });
    expect(closed.closedUntil!.getTime()).toBeGreaterThan(Date.now() + 500_000);
    expect(await flow.open(one)).toMatchObject({ key: one, closedUntil: null });
  }
  expect((await actions()).slice(-2)).toEqual([
    { verb: 'close_flow_key', reason: 'they call us' },
    { verb: 'open_flow_key', reason: null },
  ]);
});
