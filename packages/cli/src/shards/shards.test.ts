import { defineCatalog } from '@duework/contracts';
import { enqueue } from '@duework/queue-core';
import { foundShard } from '@duework/shards';
import { echo } from '@duework/testing/fixtures';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { NOWHERE, useShardsProgram } from '../testing/use-shards-program.js';

const { a, b, run } = useShardsProgram(defineCatalog([echo]));

beforeEach(async () => {
  for (const { db } of [a, b])
    await db.$executeRaw`WITH s AS (DELETE FROM duework.shard), p AS (DELETE FROM duework.pauses), h AS (DELETE FROM duework.job_history) DELETE FROM duework.job_runs`;
});

describe('duework shards', () => {
  test('says of each database what it is, and check fails until all are what they are called', async () => {
    expect((await run(['shards'])).out).toMatch(/a +\S+ +not founded +0/);
    expect(await run(['shards', 'check'])).toMatchObject({
      code: 3,
      out: expect.stringContaining('duework shards found a'),
    });
    expect((await run(['shards', 'found', 'a'])).out).toContain('The database is shard a since');
    await run(['shards', 'found', 'b']);
    expect((await run(['shards', 'check'])).code).toBe(0);
    const { out, code } = await run(['shards', 'check', '--json'], NOWHERE);
    expect(code).toBe(3);
    expect(JSON.parse(out)).toMatchObject([
      { shard: 'a', state: 'open', liveJobs: 0, problem: null },
      { shard: 'b', state: 'open' },
      { shard: 'c', state: 'away', problem: expect.stringContaining('Cannot reach') },
    ]);
  });

  test('closes a shard, and says when it is drained', async () => {
    await foundShard(a.db, 'a');
    const { id } = await enqueue(a.db, echo, { n: 1 });
    expect((await run(['shards', 'close', 'a'])).out).toContain('Shard a is closed');
    for (let n = 0; n < 4; n++)
      expect((await run(['enqueue', 'echo', '{"n":3}'])).out).toMatch(/Job b\.\d+ is enqueued/);
    expect(await run(['shards', 'drained', 'a'])).toMatchObject({
      code: 3,
      out: expect.stringContaining('1 jobs wait'),
    });
    await run(['cancel', `a.${id}`]);
    expect(await run(['shards', 'drained', 'a'])).toMatchObject({ code: 0 });
    expect((await run(['shards', 'open', 'a'])).out).toContain('Shard a is open');
    await expect(run(['shards', 'close', 'b'])).rejects.toMatchObject({ code: 'shard_not_founded' });
  });
});

describe('the other commands', () => {
  test('find a job by the id that names its shard, and list those of all', async () => {
    const one = await enqueue(a.db, echo, { n: 1 });
    // a list is in the order of milliseconds, and of their shards where two jobs have the same one
    const atMs = Date.now();
    while (Date.now() === atMs) await new Promise((resolve) => setImmediate(resolve));
    const two = await enqueue(b.db, echo, { n: 2 });
    expect((await run(['show', `b.${two.id}`])).out).toContain(`b.${two.id}`);
    const listed = JSON.parse((await run(['jobs', '--json'])).out) as { jobs: { id: string }[] };
    expect(listed.jobs.map(({ id }) => id)).toEqual([`b.${two.id}`, `a.${one.id}`]);
    await expect(run(['show', one.id])).rejects.toMatchObject({ code: 'shard_not_given' });
    expect((await run(['--shard', 'a', 'show', one.id])).out).toContain(one.id);
    expect(await run(['jobs'], NOWHERE)).toMatchObject({
      code: 1,
      out: expect.stringContaining(`a.${one.id}`),
      told: expect.stringContaining('Shard c is left out'),
    });
    const idsOf = async (filter: string): Promise<string[]> =>
      (JSON.parse((await run(['jobs', filter, '--json'])).out) as { jobs: { id: string }[] }).jobs.map(({ id }) => id);
    expect(await idsOf('shard:a')).toEqual([`a.${one.id}`]);
    expect(await idsOf('-shard:a')).toEqual([`b.${two.id}`]);
    expect(await idsOf(`id:a.${one.id},b.${two.id}`)).toHaveLength(2);
    await expect(run(['jobs', 'shard:z'])).rejects.toMatchObject({ code: 'unknown_shard' });
  });

  test('enqueue without a key into any shard, and ask for one where a key has to be unique', async () => {
    expect((await run(['enqueue', 'echo', '{"n":3}'])).out).toMatch(/Job [ab]\.\d+ is enqueued/);
    await expect(run(['enqueue', 'echo', '{"n":3}', '--key', 'x'])).rejects.toMatchObject({ code: 'shard_not_given' });
    expect((await run(['--shard', 'b', 'enqueue', 'echo', '{"n":3}', '--key', 'x'])).out).toContain('is enqueued');
  });

  test('say the shard of each queue and pause, and where a pause failed', async () => {
    await enqueue(a.db, echo, { n: 1 });
    await run(['pause', 'queue', 'mail', '--unknown']);
    const { out } = await run(['status']);
    expect(out).toMatch(/^SHARD +QUEUE +TYPE/m);
    expect(out).toMatch(/^a +default +echo +1 /m);
    for (const shard of ['a', 'b']) expect(out).toContain(`The queue mail of shard ${shard} is paused since`);
    await run(['resume', 'queue', 'mail']);
    expect(await run(['pause', 'queue', 'mail', '--unknown'], NOWHERE)).toMatchObject({
      code: 1,
      told: expect.stringMatching(/^Done in a, b\.\nNot in c: .* Do it again\.\n$/),
    });
  });

  test('migrate each shard, and name the one that fails', async () => {
    expect((await run(['migrate'])).out.match(/is up to date/g)).toHaveLength(2);
    await expect(run(['migrate'], NOWHERE)).rejects.toMatchObject({
      code: 'shards_failed',
      message: 'It failed for the shard c.',
    });
  });
});
