import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineCatalog, defineJob } from '@duework/contracts';
import { complete } from '@duework/queue-core';
import { folderStore, putObject, setOffload } from '@duework/queue-core/objects';
import { foundShard, openShards } from '@duework/shards';
import { useTestDatabase } from '@duework/testing/fixtures';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { runWorker } from './run-worker.js';

const [a, b] = [useTestDatabase(), useTestDatabase()];
const print = defineJob({ type: 'print', payload: z.object({ text: z.string() }) });
const catalog = defineCatalog([print]);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duework-objects-'));
  await foundShard(a.db, 'a');
  await foundShard(b.db, 'b');
});
afterAll(async () => {
  setOffload(null);
  await rm(folder, { recursive: true });
});

const objects = async (): Promise<string[]> =>
  (await readdir(join(folder, 'objects'), { recursive: true })).filter((name) => name.length > 10).sort();

test('shards share a store: a worker of both runs large jobs, and removes what neither of them needs', async () => {
  setOffload({ store: folderStore(folder) });
  const shardOf = (_: unknown, payload: unknown): string => (payload as { text: string }).text[0]!;
  const queue = openShards({ shards: { a: a.db, b: b.db }, shardOf });
  const text = 'x'.repeat(80_000);
  for (const shard of ['a', 'b']) await queue.enqueue(print, { text: shard + text }, { delay: '1h' });
  for (const shard of ['a', 'b']) await queue.enqueue(print, { text: shard + text });
  const kept = await objects();
  const orphan = (await putObject('of nobody')).$object.slice('objects/'.length);
  expect(await objects()).toHaveLength(5);
  for (const name of await objects()) await utimes(join(folder, 'objects', name), new Date(0), new Date(0));

  const stopping = new AbortController();
  const seen: string[] = [];
  const ended = runWorker({
    catalog,
    offload: { store: folderStore(folder) },
    handlers: {
      print: ({ payload }) => {
        seen.push(payload.text[0]!);
        return complete({ text: payload.text });
      },
    },
    shards: { a: a.url, b: b.url },
    workerPort: 'none',
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    handleSignals: false,
    signal: stopping.signal,
  });
  // the results are objects, too
  while ((await objects()).includes(orphan) || (await objects()).length < 6) await new Promise(setImmediate);
  stopping.abort();
  expect(await ended).toBe(0);
  expect(seen.toSorted()).toEqual(['a', 'b']);
  expect(await objects()).toEqual(expect.arrayContaining(kept));
}, 60_000);
