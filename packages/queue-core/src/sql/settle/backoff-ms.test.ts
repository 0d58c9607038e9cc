import { delays, exponential, fixed, quadratic } from '@duework/contracts';
import { useTestDatabase } from '@duework/testing/fixtures';
import { expect, test } from '@jest/globals';
import { computeBackoff } from '../../settle/compute-backoff.js';
import { queryRows, sql } from '@duework/sql';

const database = useTestDatabase();

test.each([
  fixed('1ms'),
  fixed('20d'),
  exponential({ base: '10s' }),
  exponential({ base: '1s', factor: 1 }),
  exponential({ base: '1s', factor: 1.01 }),
  exponential({ base: '24d', factor: 100, cap: '24d' }),
  quadratic({ unit: '10s' }),
  delays(['1s', '1m', '1h']),
])('the database waits as long as the engine after each attempt: %j', async (rule) => {
  const attempts = [1, 2, 3, 4, 10, 50, 999, 1_000];
  for (const random of [0, 0.25, 0.5, 0.999]) {
    const rows = await queryRows<{ ms: number }>(
      database.db,
      sql`SELECT duework.backoff_ms(${JSON.stringify(rule)}::text::jsonb, a, ${random}::float8) AS ms
        FROM unnest(${attempts}::integer[]) WITH ORDINALITY AS x (a, position) ORDER BY position`,
    );
    for (const [index, { ms }] of rows.entries())
      // a rounding apart
      expect(Math.abs(ms - computeBackoff(rule, attempts[index]!, random))).toBeLessThanOrEqual(1);
  }
});

test('a type that no worker has registered has the default backoff of contracts', async () => {
  const rows = await queryRows<{ ms: number }>(database.db, sql`SELECT duework.backoff_ms(NULL, 2, 0.5) AS ms`);
  expect(rows).toEqual([{ ms: computeBackoff(exponential({ base: '10s' }), 2, 0.5) }]);
});
