import { defineCatalog, defineJob } from '@duework/contracts';
import { queryRows, sql } from '@duework/sql';
import { useTestDatabase } from '@duework/testing/fixtures';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { getJob } from '../queue/operate.js';
import { registerDefinitions } from '../sql/registry/register-definitions.js';
import { enqueue } from './enqueue.js';

const database = useTestDatabase();
const crawl = defineJob({ type: 'crawl', payload: z.object({ url: z.string() }), unique: { by: 'url' } });
/** What only a function can give. */
const VALUES: unknown[] = [Number.NaN, () => {}, Symbol('a')];
const report = defineJob({
  type: 'report',
  payload: z.object({ filter: z.any() }),
  unique: { by: ({ filter }) => (typeof filter === 'number' ? VALUES[filter]! : filter) as string },
});
const stock = defineJob({ type: 'stock', payload: z.object({ sku: z.string().nullish() }), unique: { by: 'sku' } });
const invoice = defineJob({ type: 'invoice', payload: z.object({}) });

beforeAll(() => registerDefinitions(database.db, defineCatalog([crawl, report, stock, invoice])));

const LONG = `https://example.com/?${'q'.repeat(3_000)}`;
const keyOf = async ({ id }: { id: string }) => (await getJob(database.db, id)).job.idempotencyKey;

describe('a long key', () => {
  test('tells jobs apart to its last character', async () => {
    const first = await enqueue(database.db, crawl, { url: `${LONG}a` });
    expect(await enqueue(database.db, crawl, { url: `${LONG}b` })).toMatchObject({ isDeduplicated: false });
    expect(await enqueue(database.db, crawl, { url: `${LONG}a` })).toMatchObject({
      isDeduplicated: true,
      id: first.id,
    });
  });

  test.each([LONG, '🚀'.repeat(300)])('is the same in SQL', async (key) => {
    const there = await enqueue(database.db, invoice, {}, { idempotencyKey: key });
    const [again] = await queryRows<{ id: string }>(
      database.db,
      sql`SELECT id::text AS id FROM duework.enqueue('invoice', '{}', idempotency_key => ${key}::text)`,
    );
    expect(again!.id).toBe(there.id);
  });

  test('begins as it was given, so that it can be read', async () => {
    const job = await enqueue(database.db, invoice, {}, { idempotencyKey: `${LONG}read` });
    expect(await keyOf(job)).toMatch(/^https:\/\/example\.com\/\?q{169}#[0-9a-f]{64}$/);
  });

  test('of 255 characters is kept as it is', async () => {
    const key = '🚀'.repeat(255);
    expect(await keyOf(await enqueue(database.db, invoice, {}, { idempotencyKey: key }))).toBe(key);
  });
});

describe('a value of which a key is made', () => {
  test.each<[unknown]>([[{ a: 1 }], [[1, 2]], [0], [1], [2]])(
    'tells nothing apart, and is refused: %p',
    async (filter) => {
      await expect(enqueue(database.db, report, { filter })).rejects.toMatchObject({ code: 'invalid_idempotency_key' });
    },
  );

  test.each<[unknown]>([[true], ['text'], ['7']])('may be %p', async (filter) => {
    const first = await enqueue(database.db, report, { filter });
    expect(await enqueue(database.db, report, { filter })).toMatchObject({ id: first.id, isDeduplicated: true });
  });

  test('is another one than nothing, whatever it is', async () => {
    const given = [{}, { sku: '' }, { sku: '-' }, { sku: '--' }, { sku: '---' }, { sku: '----' }];
    const ids = new Set<string>();
    for (const payload of given) ids.add((await enqueue(database.db, stock, payload)).id);
    expect(ids.size).toBe(given.length);
    expect(await enqueue(database.db, stock, { sku: null })).toMatchObject({ isDeduplicated: true });
  });
});
