import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import S3rver from '@20minutes/s3rver';
import { useTestDatabase } from '@duework/testing/fixtures';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { S3mini } from 's3mini';
import { setOffload } from './current-offload.js';
import { folderStore } from './folder-store.js';
import type { ObjectStore } from './object-store.js';
import { openObject } from './open-object.js';
import { newKey, putObject } from './put-object.js';
import { s3Store } from './s3-store.js';
import { tableStore } from './table-store.js';

const database = useTestDatabase();
// a server's moments are whole seconds
const startedMs = Date.now() - 1_000;
let folder: string;
let server: S3rver;
let strict: S3rver;
let endpoint: string;
let strictEndpoint: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duework-stores-'));
  const common = { port: 0, address: '127.0.0.1', silent: true, configureBuckets: [{ name: 'jobs', configs: [] }] };
  // it signs the address of a list without the slash that is in it, and real servers with it
  server = new S3rver({ ...common, directory: join(folder, 's3'), allowMismatchedSignatures: true });
  strict = new S3rver({ ...common, directory: join(folder, 'strict') });
  endpoint = `http://127.0.0.1:${(await server.run()).port}/jobs`;
  strictEndpoint = `http://127.0.0.1:${(await strict.run()).port}/jobs`;
});
afterAll(async () => {
  await Promise.all([server.close(), strict.close()]);
  await rm(folder, { recursive: true });
});
afterEach(() => setOffload(null));

const keys = { region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
const signal = new AbortController().signal;
const STORES: Readonly<Record<string, () => ObjectStore>> = {
  'a folder': () => folderStore(join(folder, 'files')),
  'a table': () => tableStore(database.db),
  'a bucket of S3': () => s3Store(new S3mini({ endpoint, ...keys }), { prefix: 'production/' }),
};
async function read(stream: AsyncIterable<Buffer> | null): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream ?? []) chunks.push(chunk);
  return stream === null ? null : Buffer.concat(chunks);
}

describe.each(Object.keys(STORES))('in %s', (name) => {
  const store = () => STORES[name]!();
  const listed = async (prefix = 'objects/') => {
    const found: string[] = [];
    for await (const { key, putAt } of store().list(prefix, { signal })) {
      expect(putAt.getTime()).toBeGreaterThan(startedMs);
      expect(putAt.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
      found.push(key);
    }
    return found.sort();
  };

  test.each([0, 1, 1024 ** 2, 3 * 1024 ** 2 + 1])(
    'an object of %i bytes is put, read, listed and deleted',
    async (size) => {
      const content = randomBytes(size);
      const key = newKey();
      await store().put(key, Readable.from([content]), { signal });
      expect((await read(await store().get(key, { signal })))?.equals(content)).toBe(true);
      expect(await listed()).toEqual([key]);
      expect(await listed('databases/')).toEqual([]);
      await store().delete([key, newKey()], { signal });
      expect(await store().get(key, { signal })).toBeNull();
      expect(await listed()).toEqual([]);
    },
  );

  test('more objects than a page has are all listed', async () => {
    const made = Array.from({ length: 25 }, newKey);
    for (const key of made) await store().put(key, Readable.from([Buffer.from(key)]), { signal });
    expect(await listed()).toEqual(made.sort());
    await store().delete(made, { signal });
    expect(await listed()).toEqual([]);
  });

  test('a put whose source fails leaves no object', async () => {
    setOffload({ store: store() });
    async function* broken() {
      yield randomBytes(9 * 1024 ** 2);
      throw new Error('the source broke');
    }
    await expect(putObject(broken())).rejects.toThrow('the source broke');
    const [left] = await listed();
    // parts of a table are removed later, and no reference to them was ever given away
    if (left !== undefined) await store().delete([left], { signal });
    expect(left === undefined).toBe(name !== 'a table');
  });

  test('20 MB go in and out as a stream', async () => {
    setOffload({ store: store() });
    const chunk = randomBytes(1024 ** 2);
    const hash = createHash('sha256');
    async function* source() {
      for (let n = 0; n < 20; n++) {
        hash.update(chunk);
        yield chunk;
      }
    }
    const ref = await putObject(source());
    expect(ref).toMatchObject({ bytes: 20 * 1024 ** 2, sha256: hash.digest('hex') });
    let bytes = 0;
    for await (const part of await openObject(ref)) bytes += (part as Buffer).length;
    expect(bytes).toBe(ref.bytes);
    await store().delete([ref.$object], { signal });
  });
});

test('a source is read no faster than the store takes it, and an object no faster than its reader', async () => {
  let made = 0;
  async function* source() {
    for (; made < 100; made++) yield Buffer.alloc(1024 ** 2);
  }
  let most = 0;
  const put: ObjectStore['put'] = async (_, content) => {
    let taken = 0;
    for await (const chunk of content) {
      taken += (chunk as Buffer).length;
      most = Math.max(most, made - taken / 1024 ** 2);
      await new Promise(setImmediate);
    }
  };
  setOffload({ store: { ...STORES['a folder']!(), put } });
  await putObject(source());
  expect(made).toBe(100);
  expect(most).toBeLessThan(4);
});

test('a bucket that cannot be reached is an outage, and not a missing object', async () => {
  setOffload({ store: s3Store(new S3mini({ endpoint: 'http://127.0.0.1:9/jobs', ...keys })) });
  await expect(putObject('text')).rejects.toMatchObject({ code: 'store_unavailable' });
  const ref = { $object: newKey(), bytes: 4, sha256: '0'.repeat(64) };
  await expect(openObject(ref)).rejects.toMatchObject({ code: 'store_unavailable' });
});

test('a key that the bucket does not take is an outage', async () => {
  const of = { ...keys, endpoint: strictEndpoint };
  setOffload({ store: s3Store(new S3mini(of)) });
  await putObject('text');
  setOffload({ store: s3Store(new S3mini({ ...of, secretAccessKey: 'another' })) });
  await expect(putObject('text')).rejects.toMatchObject({ code: 'store_unavailable' });
});

test('a folder that is not mounted is an outage, and not a missing object', async () => {
  setOffload({ store: folderStore(join(folder, 'unmounted')) });
  const ref = { $object: newKey(), bytes: 4, sha256: '0'.repeat(64) };
  await expect(openObject(ref)).rejects.toMatchObject({ code: 'store_unavailable' });
});

test.each([{ $object: '../../etc/passwd', bytes: 1, sha256: '0'.repeat(64) }, { $object: newKey() }, null])(
  '%j is no reference',
  async (ref) => {
    setOffload({ store: store() });
    await expect(openObject(ref as never)).rejects.toMatchObject({ code: 'invalid_option' });
  },
);
const store = STORES['a folder']!;
