import { createPostgresStore, type Handlers, registerDefinitions } from '@duework/queue-core';
import { startTestWorker } from '@duework/testing';
import { gate } from '@duework/testing/fixtures';
import { describe, expect, test } from '@jest/globals';
import { ANA, book, call, each, fragile, gatedCatalog, letter, mail, shared, useGated } from '../testing/use-gated.js';
import { changeFlowRule, previewFlowRule } from './change-flow-rule.js';
import { closeKey, openKey } from './close-key.js';
import type { FlowChange, FlowKeyFilter } from './flow-rule.js';
import { listFlowKeys } from './list-flow-keys.js';
import { listFlowRules, showFlowRule } from './list-flow-rules.js';

const { db, add, look, claim, heldBy, entries } = useGated();
const SMTP = 'limit/smtp';

describe('the rules', () => {
  test('are listed with what holds, who declares them, how many run and how many wait', async () => {
    await add(mail, [1, 2, 3]);
    await add(letter, [1]);
    const rules = await listFlowRules(db());
    expect(rules.map(({ name }) => name)).toEqual([
      'breaker/fragile',
      'limit/each.account',
      'limit/narrow',
      'limit/smtp',
      'order/book.account',
      'order/narrow.account',
      'rate/call',
      'tenant/default',
    ]);
    expect(rules.find(({ name }) => name === SMTP)).toEqual({
      name: SMTP,
      kind: 'limit',
      declared: { max: 1 },
      changed: null,
      changedBy: null,
      changedAt: null,
      terms: { max: 1 },
      types: ['letter', 'mail'],
      keys: 1,
      running: 1,
      used: 1,
      waiting: 3,
      waitingSince: expect.any(Date),
      closed: 0,
      closedUntil: null,
      trying: 0,
      blocked: 0,
      isAtLeast: false,
    });
  });

  test.each([
    ['limit/nothing', 'flow_rule_not_found'],
    ['no rule', 'flow_rule_not_found'],
    ['limit/nothing\u0000', 'flow_rule_not_found'],
    ['', 'flow_rule_not_found'],
  ])('that are none are refused: %j', async (name, code) => {
    await expect(showFlowRule(db(), name)).rejects.toMatchObject({ code });
    await expect(listFlowKeys(db(), name)).rejects.toMatchObject({ code });
    await expect(changeFlowRule(db(), name, { max: 1 })).rejects.toMatchObject({ code });
    await expect(changeFlowRule(db(), name, null)).rejects.toMatchObject({ code });
    await expect(previewFlowRule(db(), name, { max: 1 })).rejects.toMatchObject({ code });
    await expect(closeKey(db(), name, '1m')).rejects.toMatchObject({ code });
    await expect(openKey(db(), name)).rejects.toMatchObject({ code });
  });
});

describe('a change of a rule', () => {
  test('is told before: how many run, how many would be let in, and how many are over the new bound', async () => {
    await add(mail, [1, 2, 3, 4]);
    expect(await previewFlowRule(db(), SMTP, { max: 3 })).toEqual({
      before: { max: 1 },
      after: { max: 3 },
      running: 1,
      waiting: 3,
      letIn: 2,
      over: 0,
      isAtLeast: false,
    });
    await changeFlowRule(db(), SMTP, { max: 3 });
    await look();
    expect(await previewFlowRule(db(), SMTP, null)).toMatchObject({ after: { max: 1 }, running: 3, letIn: 0, over: 2 });
    expect(await entries()).toHaveLength(1);
  });

  test('lets in whom it now has room for, stays over a deploy, and is taken back', async () => {
    const ids = await add(mail, [1, 2, 3]);
    expect(await changeFlowRule(db(), SMTP, { max: 2 }, ANA)).toMatchObject({
      declared: { max: 1 },
      changed: { max: 2 },
      terms: { max: 2 },
      changedBy: ANA.by,
      changedAt: expect.any(Date),
    });
    await look();
    expect(await heldBy(ids)).toEqual([null, null, SMTP]);
    await registerDefinitions(db(), gatedCatalog);
    expect(await showFlowRule(db(), SMTP)).toMatchObject({ terms: { max: 2 } });
    expect(await changeFlowRule(db(), SMTP, { max: null }, ANA)).toMatchObject({
      changed: null,
      changedBy: null,
      changedAt: null,
      terms: { max: 1 },
    });
    expect(await entries()).toMatchObject([
      { verb: 'change_flow_rule', kind: 'flow_rule', target: SMTP, before: { max: 1 }, after: { max: 2 }, by: ANA.by },
      { verb: 'change_flow_rule', before: { max: 2 }, after: { max: 1 }, reason: ANA.reason },
    ]);
  });

  test('has running workers let in within a second whom it now has room for', async () => {
    const held = gate();
    const began: string[] = [];
    const handlers = Object.fromEntries(
      gatedCatalog.map(({ type }) => [type, () => (began.push(type), held.promise)]),
    ) as unknown as Handlers<typeof gatedCatalog>;
    const { worker } = await startTestWorker(db(), { catalog: gatedCatalog, handlers, pollIntervalMs: 60_000 });
    await add(mail, [1, 2, 3]);
    while (began.length < 1) await new Promise((resolve) => setTimeout(resolve, 5));
    const changedMs = performance.now();
    await changeFlowRule(db(), SMTP, { max: 3 });
    while (began.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    const tookMs = performance.now() - changedMs;
    held.open();
    await worker.stop({ deadlineMs: 1_000 });
    expect(tookMs).toBeLessThan(1_000);
  });

  test('that a person has tightened is not loosened by a deploy', async () => {
    await changeFlowRule(db(), 'rate/call', { max: 1, per: '2h' });
    await registerDefinitions(db(), gatedCatalog);
    expect((await showFlowRule(db(), 'rate/call')).terms).toEqual({ max: 1, perMs: 7_200_000, burst: 1 });
  });

  test.each<[string, object]>([
    [SMTP, { max: 0 }],
    [SMTP, { max: 1.5 }],
    [SMTP, { max: '5' }],
    [SMTP, { burst: 5 }],
    [SMTP, {}],
    ['rate/call', { burst: 1_000 }],
    ['rate/call', { max: 1, burst: 2 }],
    ['rate/call', { per: 'soon' }],
    ['rate/call', { per: '0ms' }],
    ['breaker/fragile', { share: 2 }],
    ['breaker/fragile', { of: 1 }],
    ['order/book.account', { max: 2 }],
    ['tenant/default', { max: 2 }],
  ])('of %s by %j is refused, and changes nothing', async (name, change) => {
    await expect(previewFlowRule(db(), name, change as FlowChange)).rejects.toMatchObject({ code: 'invalid_option' });
    await expect(changeFlowRule(db(), name, change as FlowChange)).rejects.toMatchObject({ code: 'invalid_option' });
    expect((await showFlowRule(db(), name)).changed).toBeNull();
    expect(await entries()).toEqual([]);
  });
});

describe('the keys of a rule', () => {
  test('are listed with who holds them and how many wait, page by page', async () => {
    const [first] = await add(each, [7, 7, 7, 8, 9]);
    await claim();
    const page = await listFlowKeys(db(), 'limit/each.account', { limit: 2 });
    expect(page.nextCursor).toBe('limit/each.account/8');
    expect(page.keys[0]).toMatchObject({
      key: 'limit/each.account/7',
      value: '7',
      used: 1,
      holders: [
        {
          id: first,
          type: 'each',
          status: 'running',
          units: 1,
          worker: 'tester',
          since: expect.any(Date),
          lockedUntil: expect.any(Date),
        },
      ],
      waiting: 2,
      waitingIsAtLeast: false,
      waitingSince: expect.any(Date),
      weight: null,
      nextAt: null,
      closedUntil: null,
      breaker: null,
    });
    const rest = await listFlowKeys(db(), 'limit/each.account', { after: page.nextCursor });
    expect(rest).toMatchObject({ keys: [{ value: '9', waiting: 0, waitingSince: null }], nextCursor: null });
  });

  test('are found by what their values begin with, and without those at which nothing goes on', async () => {
    await add(each, [71, 72, 8]);
    const values = async (filter: FlowKeyFilter) =>
      (await listFlowKeys(db(), 'limit/each.account', filter)).keys.map(({ value }) => value);
    expect(await values({ value: '7' })).toEqual(['71', '72']);
    expect(await values({ value: '72' })).toEqual(['72']);
    expect(await values({ value: '_' })).toEqual([]);
    const store = createPostgresStore({ db: db() });
    const ran = await claim();
    expect(ran).toHaveLength(3);
    await store.settle(
      ran.map(({ id, fence, gates }) => ({ id, fence, gates: gates!, kind: 'complete', result: null })),
    );
    await add(each, [72]);
    await closeKey(db(), 'limit/each.account/8', '1h');
    expect(await values({})).toEqual(['71', '72', '8']);
    expect(await values({ isBusy: true })).toEqual(['72', '8']);
  });

  test('of tenants tell what was let in, how many wait, and the weight of the next', async () => {
    const [first] = await add(shared, [7, 7, 8]);
    const before = await listFlowKeys(db(), 'tenant/default');
    expect(before.keys).toMatchObject([
      { value: '7', used: 0, waiting: 2, weight: 1, waitingSince: expect.any(Date) },
      { value: '8', used: 0, waiting: 1, weight: 1 },
    ]);
    await db().$queryRaw`SELECT duework.take_turns('default', 100)::text`;
    expect(await claim()).toHaveLength(3);
    const after = await listFlowKeys(db(), 'tenant/default');
    expect(after.keys).toMatchObject([
      { value: '7', used: 2, waiting: 0, weight: null, waitingSince: null },
      { value: '8', used: 1 },
    ]);
    expect(after.keys[0]!.holders[0]).toMatchObject({ id: first, status: 'running' });
    expect(await showFlowRule(db(), 'tenant/default')).toMatchObject({ keys: 2, running: 3, waiting: 0 });
  });

  test('tell when the next unit of a rate is there', async () => {
    await add(call, [1, 2]);
    const { keys } = await listFlowKeys(db(), 'rate/call');
    const inMs = keys[0]!.nextAt!.getTime() - Date.now();
    expect(keys[0]).toMatchObject({ value: null, waiting: 1 });
    expect(inMs).toBeGreaterThan(3_500_000);
  });

  test('tell of a dead run that keeps an order shut', async () => {
    const [first] = await add(book, [7, 7]);
    const [run] = await claim();
    const error = { code: 'boom', type: 'Error', message: 'boom', stack: null };
    await createPostgresStore({ db: db() }).settle([
      { id: run!.id, fence: run!.fence, gates: run!.gates!, kind: 'bury', error, abort: null },
    ]);
    const { keys } = await listFlowKeys(db(), 'order/book.account');
    expect(keys).toMatchObject([{ waiting: 1, holders: [{ id: first, status: 'dead', lockedUntil: null }] }]);
    expect(keys[0]!.waitingSince).toEqual(expect.any(Date));
    expect(await showFlowRule(db(), 'order/book.account')).toMatchObject({
      blocked: 1,
      waitingSince: expect.any(Date),
    });
  });
});

describe('a button', () => {
  test('closes a key, and opens it: what waited is let in', async () => {
    const closed = await closeKey(db(), SMTP, '1h', ANA);
    expect(closed.closedUntil!.getTime() - Date.now()).toBeGreaterThan(3_500_000);
    const ids = await add(mail, [1, 2]);
    expect(await heldBy(ids)).toEqual([SMTP, SMTP]);
    expect((await showFlowRule(db(), SMTP)).closed).toBe(1);
    expect(await openKey(db(), SMTP, ANA)).toMatchObject({ closedUntil: null });
    await look();
    expect(await heldBy(ids)).toEqual([null, SMTP]);
    expect(await entries()).toMatchObject([
      { verb: 'close_flow_key', kind: 'flow_rule', target: SMTP, by: ANA.by },
      { verb: 'open_flow_key', kind: 'flow_rule', target: SMTP },
    ]);
  });

  test('says of one key alone that it is closed, and the audit does not say of which', async () => {
    await closeKey(db(), 'limit/each.account/7', '1h');
    const [shut, open] = await add(each, [7, 8]);
    expect(await heldBy([shut!, open!])).toEqual(['limit/each.account/7', null]);
    expect(await entries()).toMatchObject([{ target: 'limit/each.account' }]);
  });

  test('that was closed for a time opens to all that have room, when it is over', async () => {
    await changeFlowRule(db(), SMTP, { max: 3 });
    await closeKey(db(), SMTP, '1h');
    const ids = await add(mail, [1, 2, 3, 4]);
    expect(await heldBy(ids)).toEqual([SMTP, SMTP, SMTP, SMTP]);
    // the hour is over
    await db().$executeRaw`UPDATE duework.flow_keys SET closed_until = now() WHERE key = ${SMTP}`;
    await db().$executeRaw`UPDATE duework.flow_looks SET at = now()`;
    await look();
    expect(await heldBy(ids)).toEqual([null, null, null, SMTP]);
  });

  test('opens a breaker, whose failures are forgotten', async () => {
    await add(fragile, [1, 2]);
    const error = { code: 'away', type: 'Error', message: 'away', stack: null };
    await createPostgresStore({ db: db() }).settle(
      (await claim()).map(({ id, fence, gates }) => ({
        ...{ id, fence, gates: gates!, kind: 'fail' as const, error, abort: null, delayMs: 0 },
      })),
    );
    const state = async () => (await listFlowKeys(db(), 'breaker/fragile')).keys[0];
    expect(await state()).toMatchObject({ breaker: 'open', closedUntil: expect.any(Date), waiting: 2 });
    expect(await openKey(db(), 'breaker/fragile')).toMatchObject({ breaker: 'closed', failed: 0, attempts: 0 });
    await look();
    expect(await state()).toMatchObject({ waiting: 0 });
  });

  test.each(['limit/each.account', 'tenant/default'])(
    'refuses to close or open all of %s at once, which counts for each value by itself',
    async (rule) => {
      await add(each, [7]);
      await expect(closeKey(db(), rule, '1h')).rejects.toMatchObject({ code: 'invalid_option' });
      await expect(openKey(db(), rule)).rejects.toMatchObject({ code: 'invalid_option' });
    },
  );

  test.each(['0ms', '3651d', 'long'])('refuses to close a key for %s', async (duration) => {
    await expect(closeKey(db(), SMTP, duration as never)).rejects.toMatchObject({ code: 'invalid_option' });
  });
});
