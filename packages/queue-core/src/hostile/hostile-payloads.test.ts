import { describe, expect, test } from '@jest/globals';
import { defineJob } from '@duework/contracts';
import { fuzz } from '@duework/database/testing';
import fc from 'fast-check';
import { z } from 'zod';
import { enqueue } from '../enqueue/enqueue.js';
import { DueworkError } from '@duework/sql/errors';
import { openQueue } from '../queue/open-queue.js';
import { cancelJob, findJobs, getJob } from '../queue/operate.js';
import {
  hostileNumber,
  hostileRecipe,
  hostileText,
  make,
  type Recipe,
  useTestDatabase,
} from '@duework/testing/fixtures';

const database = useTestDatabase();
const loose = defineJob({ type: 'loose', payload: z.any() });
const json = defineJob({ type: 'json', payload: z.json() });
const contracts = {
  loose,
  json,
  named: defineJob({ type: 'named', payload: z.object({ a: z.json().optional() }), queue: 'named' }),
};

async function countJobs(): Promise<number> {
  const [row] = await database.db.$queryRaw<[{ count: number }]>`SELECT count(*)::integer AS count FROM duework.jobs`;
  return row.count;
}

/** The code of a refusal; anything else that is thrown fails the test. */
function codeOf(error: unknown): string {
  if (!(error instanceof DueworkError)) throw error;
  expect(error.message.length).toBeLessThan(20_000);
  expect(error.message.isWellFormed()).toBe(true);
  return error.code;
}

const PAYLOAD_CODES = ['invalid_payload', 'payload_not_storable', 'payload_too_large'];

describe('hostile input is refused with a code, or stored as it is', () => {
  test('as a payload, which is read again as it was written', async () => {
    const queue = openQueue(database.db);
    await fuzz(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom('loose', 'json', 'named'), hostileRecipe), { minLength: 1, maxLength: 8 }),
        async (offers) => {
          const before = await countJobs();
          const kept = await Promise.allSettled(
            offers.map(async ([type, recipe]) => {
              const contract = contracts[type as keyof typeof contracts];
              const payload = make(recipe);
              const job = await queue
                .enqueue(contract, payload as never)
                .catch((error: unknown) => void expect(PAYLOAD_CODES).toContain(codeOf(error)));
              if (job === undefined) return 0;
              const written: unknown = JSON.parse(JSON.stringify(contract.payload.parse(payload)));
              expect((await getJob(database.db, job.id)).job.payload).toEqual(written);
              return 1;
            }),
          );
          const failed = kept.find((one) => one.status === 'rejected');
          if (failed !== undefined) throw failed.reason;
          expect(await countJobs()).toBe(
            before + kept.reduce((sum, one) => sum + (one.status === 'fulfilled' ? one.value : 0), 0),
          );
        },
      ),
      60,
    );
  });

  test('as an option, which is kept', async () => {
    const option = fc.oneof(
      hostileRecipe,
      fc.record({ json: hostileNumber }),
      fc.record({
        json: fc.constantFrom(
          '1s',
          '5m',
          '0ms',
          `${'9'.repeat(400)}d`,
          new Date(0),
          new Date(8.64e15),
          new Date('2030-01-01'),
        ),
      }),
    );
    const options = fc.record(
      {
        runAt: option,
        delay: option,
        priority: option,
        maxAttempts: option,
        idempotencyKey: fc.oneof(option, fc.record({ json: hostileText })),
      },
      { requiredKeys: [] },
    );
    await fuzz(
      fc.asyncProperty(options, async (recipes) => {
        const given = Object.fromEntries(
          Object.entries(recipes).map(([name, recipe]) => [name, make(recipe as Recipe)]),
        );
        const job = await enqueue(database.db, loose, 1, given as never).catch(
          (error: unknown) => void expect(['invalid_option', 'invalid_idempotency_key']).toContain(codeOf(error)),
        );
        if (job === undefined) return;
        const kept = (await getJob(database.db, job.id)).job;
        if (!job.isDeduplicated)
          expect(kept).toMatchObject({
            priority: Number(given['priority'] ?? loose.priority) + 0,
            maxAttempts: given['maxAttempts'] ?? loose.maxAttempts,
            idempotencyKey: given['idempotencyKey'] ?? null,
          });
      }),
      100,
    );
  });

  test('as an operator’s text, an id, a filter or a cursor, which is used as it is', async () => {
    const words = fc.oneof(fc.record({ json: hostileText }), hostileRecipe);
    await fuzz(
      fc.asyncProperty(words, words, words, words, async (...recipes) => {
        const [by, reason, id, filter] = recipes.map(make);
        const { id: known } = await enqueue(database.db, loose, 1);
        const outcome = await cancelJob(database.db, known, { by, reason } as never).catch(
          (error: unknown) => void expect(codeOf(error)).toBe('invalid_option'),
        );
        const { status, cancelRequestedBy, cancelReason } = (await getJob(database.db, known)).job;
        if (outcome === undefined) expect(status).toBe('queued');
        else expect([status, cancelRequestedBy, cancelReason]).toEqual(['cancelled', by ?? null, reason ?? null]);
        await getJob(database.db, id as never).catch((error: unknown) =>
          expect(['invalid_job_id', 'job_not_found']).toContain(codeOf(error)),
        );
        await findJobs(database.db, { type: filter, limit: 1 } as never).catch((error: unknown) =>
          expect(codeOf(error)).toBe('invalid_option'),
        );
        await findJobs(database.db, { cursor: filter, limit: 1 } as never).catch((error: unknown) =>
          expect(codeOf(error)).toBe('invalid_cursor'),
        );
        await findJobs(database.db, { status: filter, limit: id } as never).catch((error: unknown) =>
          expect(codeOf(error)).toBe('invalid_option'),
        );
      }),
      60,
    );
  });
});

describe('a value that JSON cannot express exactly', () => {
  const write = async (payload: unknown): Promise<unknown> =>
    (await getJob(database.db, (await enqueue(database.db, loose, payload)).id)).job.payload;

  test('comes back as 0 for a negative 0, and unchanged for every other number', async () => {
    expect(await write([-0])).toStrictEqual([0]);
    const numbers = [1e308, -1e308, 5e-324, 2 ** 53 - 1, 2 ** 53 + 2, 0.1, 1e21, 123456789.12345679];
    expect(await write(numbers)).toStrictEqual(numbers);
  });

  test('counts by its length in the database: a number that is short here may be long there', async () => {
    await expect(write(Array(300).fill(1e300))).rejects.toMatchObject({ code: 'payload_too_large' });
    expect(await write(Array(200).fill(1e300))).toHaveLength(200);
  });

  test('is refused for a key "__proto__", because a parser would leave it out', async () => {
    await expect(write(JSON.parse('{"a":{"__proto__":{"admin":true}}}'))).rejects.toMatchObject({
      code: 'payload_not_storable',
      message: expect.stringContaining('__proto__'),
    });
    expect(await write({ constructor: { prototype: 1 } })).toEqual({ constructor: { prototype: 1 } });
  });

  test('is refused for an undefined payload when it is enqueued, not when it is run', async () => {
    await expect(write(undefined)).rejects.toMatchObject({
      code: 'payload_not_storable',
      facts: { reason: 'the value is undefined, which JSON does not have' },
    });
  });
});
