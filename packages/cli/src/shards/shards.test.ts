import { defineCatalog } from '@duework/contracts';
import { enqueue } from '@duework/queue-core';
import { foundShard, type ShardUrls } from '@duework/shards';
import { echo, useTestDatabase } from '@duework/testing/fixtures';
import { connectPg } from '@duework/database';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createProgram } from '../create-program.js';
import { programParts } from '../testing/program-parts.js';

const [a, b] = [useTestDatabase(), useTestDatabase()];
const catalog = defineCatalog([echo]);
const away = connectPg({ url: 'postgres://duework@127.0.0.1:1/nowhere' });
const NOWHERE: ShardUrls = { c: 'postgres://duework@127.0.0.1:1/nowhere' };

beforeEach(async () => {
  for (const { db } of [a, b])
    await db.$executeRaw`WITH s AS (DELETE FROM duework.shard), p AS (DELETE FROM duework.pauses), h AS (DELETE FROM duework.job_history) DELETE FROM duework.job_runs`;
});
afterAll(() => away.$disconnect());

async function run(args: readonly string[], more: ShardUrls = {}) {
  let [code, out, told] = [0, '', ''];
  const urls: ShardUrls = { a: a.url, b: b.url, ...more };
  const program = createProgram(
    programParts({
      catalog,
      shards: () => urls,
      shardDb: async (name) => (name === 'a' ? a.db : name === 'b' ? b.db : away),
      exitWith: (ended) => (code = ended),
      write: (text) => (out += text),
      progress: (text) => (told += text),
    }),
  );
  program.configureOutput({ writeErr: () => {} });
  await program.parseAsync([...args], { from: 'user' });
  return { code, out, told };
}

describe('duework shards', () => {
  test('says of each database what it is, and check fails until all are what they are called', async () => {
    expect((await run(['shards'])).out).toMatch(/a +\S+ +not founded +0/);
    expect(await run(['shards', 'check'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('duework shards found a'),
    });
    expect((await run(['shards', 'found', 'a'])).out).toContain('The database is shard a since');
    await run(['shards', 'found', 'b']);
    expect((await run(['shards', 'check'])).code).toBe(0);
    const { out, code } = await run(['shards', 'check', '--json'], NOWHERE);
    expect(code).toBe(1);
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
    expect(await run(['shards', 'drained', 'a'])).toMatchObject({
      code: 1,
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
    const two = await enqueue(b.db, echo, { n: 2 });
    expect((await run(['show', `b.${two.id}`])).out).toContain(`b.${two.id}`);
    const listed = JSON.parse((await run(['jobs', '--json'])).out) as { jobs: { id: string }[] };
    expect(listed.jobs.map(({ id }) => id)).toEqual([`b.${two.id}`, `a.${one.id}`]);
    await expect(run(['show', one.id])).rejects.toMatchObject({ code: 'shard_not_given' });
    expect((await run(['--shard', 'a', 'show', one.id])).out).toContain(one.id);
    const { out, told } = await run(['jobs'], NOWHERE);
    expect(out).toContain(`a.${one.id}`);
    expect(told).toContain('Shard c is left out');
  });

  test('enqueue without a key into any shard, and ask for one where a key has to be unique', async () => {
    expect((await run(['enqueue', 'echo', '{"n":3}'])).out).toMatch(/Job [ab]\.\d+ is enqueued/);
    await expect(run(['enqueue', 'echo', '{"n":3}', '--key', 'x'])).rejects.toMatchObject({ code: 'shard_not_given' });
    expect((await run(['--shard', 'b', 'enqueue', 'echo', '{"n":3}', '--key', 'x'])).out).toContain('is enqueued');
  });

  test('pause in each shard, and say where that failed', async () => {
    await run(['pause', 'queue', 'mail', '--unknown']);
    expect((await run(['status'])).out.match(/The queue mail is paused/g)).toHaveLength(2);
    await run(['resume', 'queue', 'mail']);
    await expect(run(['pause', 'queue', 'mail', '--unknown'], NOWHERE)).rejects.toMatchObject({
      code: 'shards_partly_done',
    });
  });

  test('migrate each shard, and name the one that fails', async () => {
    expect((await run(['migrate'])).out.match(/is up to date/g)).toHaveLength(2);
    await expect(run(['migrate'], NOWHERE)).rejects.toMatchObject({
      code: 'shards_failed',
      message: 'It failed for the shard c.',
    });
  });

  test('want --shard where they are about one', async () => {
    await expect(run(['keys', 'list'])).rejects.toMatchObject({ code: 'shard_not_given' });
    await expect(run(['schedules'])).rejects.toMatchObject({ code: 'shard_not_given' });
  });
});
