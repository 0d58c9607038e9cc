import { enqueue, enqueueMany, jobRequest, parseKeyRing, registerDefinitions } from '@duework/queue-core';
import { saveSchedule } from '@duework/schedules';
import { catalog, cleanupNightly, sendInvoice } from '@duework/shop';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { NOWHERE, useShardsProgram } from '../testing/use-shards-program.js';

const { a, b, run } = useShardsProgram(catalog);
const both = [a, b];

beforeAll(async () => {
  for (const { db } of both) await registerDefinitions(db, catalog);
});

const json = async (...args: string[]) => JSON.parse((await run([...args, '--json'])).out);

describe('schedules', () => {
  const save = (db: typeof a.db, key: string) =>
    saveSchedule(db, cleanupNightly, { key, cron: '0 3 * * *', timeZone: 'UTC', payload: { day: { $due: 'date' } } });

  test('of all shards are listed together, each with its shard', async () => {
    await save(a.db, 'one');
    await save(b.db, 'one');
    await save(b.db, 'two');
    expect((await run(['schedules'])).out).toMatch(/^SHARD +KEY .*\na +one .*\nb +one .*\nb +two .*\n$/);
    expect(await json('schedules', '--limit', '2')).toMatchObject({
      schedules: [{ key: 'one' }, { key: 'one' }],
      nextCursor: 'one',
    });
    const { code, told } = await run(['schedules'], NOWHERE);
    expect({ code, told }).toMatchObject({ code: 1, told: expect.stringContaining('Shard c is left out') });
  });

  test('are triggered, paused, resumed and deleted in each shard that has them', async () => {
    for (const { db } of both) await save(db, 'both');
    await save(b.db, 'mine');
    expect((await run(['schedules', 'trigger', 'both'])).out).toMatch(/^both runs as job a\.\d+ and b\.\d+\.\n$/);
    const { entries } = await json('audit', '--kind', 'schedule', '--verb', 'trigger_schedule');
    expect(entries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ shard: 'b', after: { jobId: expect.stringMatching(/^b\.\d+$/) } }),
      ]),
    );
    expect(await run(['schedules', 'trigger', 'mine'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/runs as job b\.\d+\./),
    });
    await run(['--shard', 'a', 'pause', 'schedule', 'both']);
    await run(['pause', 'schedule', 'mine']);
    const paused = async (): Promise<string[]> =>
      (await json('schedules')).schedules.flatMap((one: { isPaused: boolean; shard: string; key: string }) =>
        one.isPaused ? [`${one.shard} ${one.key}`] : [],
      );
    expect(await paused()).toEqual(['a both', 'b mine']);
    expect((await run(['resume', 'schedule', 'mine'])).out).toMatch(/its next due time is 20/);
    await run(['schedules', 'delete', 'both']);
    expect((await json('schedules')).schedules.map(({ key }: { key: string }) => key)).not.toContain('both');
    await expect(run(['schedules', 'delete', 'both'])).rejects.toMatchObject({ code: 'schedule_not_found' });
  });

  test('are ticked in each shard, and the due times of all are listed together', async () => {
    for (const { db } of both) {
      await save(db, 'nightly');
      await db.$executeRaw`UPDATE duework.schedules SET next_due_at = next_due_at - interval '1 day', tick_at = now() WHERE key = 'nightly'`;
    }
    expect(await run(['schedules', 'tick'], NOWHERE)).toMatchObject({
      code: 1,
      out: 'Shard a: 1 fired, 0 skipped, 0 waiting.\nShard b: 1 fired, 0 skipped, 0 waiting.\n',
      told: expect.stringContaining('Shard c is left out: Cannot reach'),
    });
    const { out, code } = await run(['schedules', 'due-times', 'nightly', '--since', '3d']);
    expect(code).toBe(0);
    expect(out).toMatch(/^SHARD +DUE .*\n/);
    for (const shard of ['a', 'b'])
      expect(out).toMatch(new RegExp(`^${shard} +\\S+ +nightly +fired +${shard}\\.\\d+ `, 'm'));
    const { dueTimes } = await json('schedules', 'due-times', 'nightly', '--since', '3d', '--limit', '1');
    expect(dueTimes).toEqual([expect.objectContaining({ shard: 'a', runId: expect.stringMatching(/^a\.\d+$/) })]);
    expect((await run(['schedules', 'due-times', 'nightly', '--since', '3d', '--limit', '1'])).out).toContain(
      'and older ones',
    );
    expect((await run(['--shard', 'b', 'schedules', 'due-times', 'nightly', '--since', '3d'])).out).toMatch(/^DUE /);
    await expect(run(['schedules', 'due-times', '--since', 'tomorrow'])).rejects.toMatchObject({
      message: expect.stringContaining('is not a time'),
    });
  });

  test('that no shard which answers has may be in one that does not', async () => {
    await expect(run(['schedules', 'delete', 'nobodys'], NOWHERE)).rejects.toMatchObject({
      code: 'shards_partly_done',
      message: expect.stringMatching(/It may be in a shard that does not answer. c: Cannot reach/),
    });
    await save(a.db, 'here');
    expect(await run(['schedules', 'delete', 'here'], NOWHERE)).toMatchObject({
      code: 1,
      out: 'here is deleted.\n',
      told: expect.stringMatching(/^Done in a\.\nNot in c: .* Do it again\.\n$/),
    });
  });
});

test('payloads are encrypted anew in each shard', async () => {
  const ring = { keyRing: () => parseKeyRing(`one:${Buffer.alloc(32, 1).toString('base64')}`) };
  const { out, code, told } = await run(['reencrypt'], NOWHERE, ring);
  expect({ code, told }).toMatchObject({ code: 1, told: expect.stringContaining('Shard c is left out') });
  for (const shard of ['a', 'b'])
    expect(out).toMatch(new RegExp(`^Shard ${shard}: \\d+ payloads looked at, 0 written anew\\.$`, 'm'));
  const all = JSON.parse((await run(['reencrypt', '--json'], {}, ring)).out);
  expect(Object.keys(all)).toEqual(['a', 'b']);
  expect(all.b).toMatchObject({ rewritten: 0, passed: 0, missing: {} });
  const done = { checked: 9, rewritten: 4, passed: 0, running: [], missing: {} };
  const withRedis = (answer: typeof done & object) => ({ ...ring, reencryptInRedis: async () => answer });
  const running = await run(['reencrypt'], {}, withRedis({ ...done, running: ['default:7'] as never[] }));
  expect(running.code).toBe(1);
  expect(running.out).toMatch(/^Redis: 9 payloads looked at, 4 written anew\.$/m);
  expect(running.out).toMatch(/^Redis: 1 run now, and keep their key to their end: default:7\. Run it again\.$/m);
  expect(running.out).not.toMatch(/^Redis: .*needed no more/m);
  const finished = await run(['reencrypt'], {}, withRedis(done));
  expect(finished.out).toMatch(/^Redis: The keys behind the first one are needed no more in this queue\.$/m);
});

test('API keys of all shards are listed, made in the first, and revoked in each that has them', async () => {
  await run(['keys', 'create', '--name', 'one', '--scope', 'read']);
  for (const shard of ['a', 'b']) await run(['--shard', shard, 'keys', 'create', '--name', 'both', '--scope', 'read']);
  const states = async (): Promise<string[]> =>
    (await json('keys')).map(({ shard, name, status }: Record<string, string>) => `${shard} ${name} ${status}`);
  expect(await states()).toEqual(['a one active', 'a both active', 'b both active']);
  expect((await run(['keys'])).out).toMatch(/^SHARD +NAME /);
  expect((await run(['keys', 'revoke', 'both'])).out).toBe('The key both is revoked.\n');
  expect(await states()).toEqual(['a one active', 'a both revoked', 'b both revoked']);
  await expect(run(['keys', 'revoke', 'nobodys'])).rejects.toMatchObject({ code: 'api_key_not_found' });
});

test('a flow rule is listed with its shard, previewed over all, and changed, closed and opened in each that has it', async () => {
  expect((await run(['flow'])).out).toMatch(/^a +limit\/smtp +5 at once.*\nb +limit\/smtp +5 at once/m);
  expect((await run(['flow', 'change', 'limit/smtp', '--max', '3', '--preview'])).out).toContain(
    '5 at once becomes 3 at once; 0 run, 0 wait',
  );
  await run(['flow', 'change', 'limit/smtp', '--max', '3']);
  await run(['--shard', 'b', 'flow', 'change', 'limit/smtp', '--max', '2']);
  expect((await run(['flow'])).out).toMatch(/^a +limit\/smtp +3 at once.*\nb +limit\/smtp +2 at once/m);
  await run(['flow', 'close', 'limit/smtp', '--for', '10m']);
  expect((await run(['flow', 'show', 'limit/smtp'])).out).toMatch(
    /^SHARD +KEY .*\na +limit\/smtp .* closed until .*\nb +limit\/smtp .* closed until /,
  );
  expect((await run(['flow', 'open', 'limit/smtp'])).out).toBe('limit/smtp is open.\n');
  await expect(run(['flow', 'change', 'limit/none', '--max', '3'])).rejects.toMatchObject({
    code: 'flow_rule_not_found',
  });
  expect(await run(['flow', 'change', 'limit/smtp', '--take-back'], NOWHERE)).toMatchObject({
    code: 1,
    told: expect.stringContaining('Done in a, b.\nNot in c: '),
  });
});

describe('a bulk action', () => {
  const enqueueMore = async (): Promise<void> => {
    for (const [at, { db }] of both.entries())
      await enqueueMany(
        db,
        [1, 2, 3]
          .slice(at)
          .map((n) => jobRequest(sendInvoice, { orderId: 100 + n }, { delay: '1h', idempotencyKey: null })),
      );
  };

  test('is previewed over all shards, begun in each, shown, listed and undone as one', async () => {
    await enqueueMore();
    expect((await run(['bulk', 'cancel', 'type:send_invoice', '--dry-run'])).out).toMatch(/^5 jobs would be changed/);
    await expect(run(['bulk', 'cancel', 'type:send_invoice', '--at-most', '4', '--yes'])).rejects.toMatchObject({
      code: 'bulk_action_refused',
    });
    const done = await run(['bulk', 'cancel', 'type:send_invoice', '--yes']);
    const [, id] = /^bulk action +(a\.\d+~b\.\d+), cancel\nstatus +finished, 5 of 5 changed\n/.exec(done.out) ?? [];
    expect({ id, code: done.code }).toEqual({ id: expect.any(String), code: 0 });
    expect((await run(['bulk', 'list'])).out).toMatch(/^[ab]\.\d+ +cancel +finished.*\n[ab]\.\d+ +cancel +finished/m);
    expect(await json('bulk', 'show', id!)).toMatchObject({ id, status: 'finished', done: 5 });
    expect(await run(['bulk', 'abort', id!]).catch(({ code }) => code)).toBe('bulk_action_over');
    expect(await json('bulk', 'undo', id!)).toMatchObject({ undoOf: id, status: 'finished', done: 5 });
  });

  test('begins where something fits, and not in a shard that does not answer, which is told', async () => {
    const { id } = await enqueue(b.db, sendInvoice, { orderId: 900 }, { delay: '1h' });
    const done = await run(['bulk', 'change-priority', 'payload.orderId:900', '--to', '9', '--yes'], NOWHERE);
    expect(done).toMatchObject({ code: 1, told: expect.stringContaining('Shard c is left out') });
    expect(done.out).toMatch(/^bulk action +b\.\d+, change_priority\nstatus +finished, 1 of 1 changed\n/);
    expect((await run(['bulk', 'cancel', `id:b.${id}`, '--yes'])).out).toMatch(/1 of 1 changed/);
  });
});

test('the audit is of all shards, newest first, and of a job that of its shard', async () => {
  const { id } = await enqueue(b.db, sendInvoice, { orderId: 700 }, { delay: '1h' });
  await run(['cancel', `b.${id}`, '--reason', 'mine']);
  const { entries } = await json('audit');
  expect(entries[0]).toMatchObject({ shard: 'b', verb: 'cancel', kind: 'job', target: `b.${id}`, reason: 'mine' });
  expect(new Set(entries.map(({ shard }: { shard: string }) => shard))).toEqual(new Set(['a', 'b']));
  const times = entries.map(({ at }: { at: string }) => at);
  expect(times).toEqual([...times].sort().reverse());
  expect((await json('audit', '--job', `b.${id}`)).entries).toHaveLength(1);
  expect((await json('audit', '--kind', 'job', '--target', `b.${id}`)).entries).toHaveLength(1);
  expect((await run(['audit', '--limit', '1'])).out).toMatch(/^SHARD +WHEN .*\nb .*\n… and more: --cursor /);
  const [first, second] = [await json('audit', '--limit', '2'), await json('audit', '--limit', '100')];
  const rest = await json('audit', '--limit', '100', '--cursor', first.nextCursor);
  expect([...first.entries, ...rest.entries]).toEqual(second.entries);
});

test('tail follows the jobs of all shards', async () => {
  const one = await enqueue(a.db, sendInvoice, { orderId: 801 }, { delay: '1h' });
  const two = await enqueue(b.db, sendInvoice, { orderId: 802 }, { delay: '1h' });
  for (const id of [`a.${one.id}`, `b.${two.id}`]) await run(['cancel', id]);
  const { out } = await run(['tail', 'payload.orderId:801,802', '--until-ended', '--json']);
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual([`a.${one.id}`, `b.${two.id}`]);
});
