import { expect, test } from '@jest/globals';
import { useTestDatabase } from '@duework/testing/fixtures';
import { anew, leftEmpty, returnToQueue } from './return-to-queue.js';
import { sql, toStatement } from '@duework/sql';

const database = useTestDatabase();

test('a run that comes back from the history has every column of a run that waits', async () => {
  const { text } = toStatement(returnToQueue(sql`r`, anew));
  const written = (/\(([^)]*)\)/.exec(text)?.[1] ?? '').split(',').map((name) => name.trim());
  const columns = await database.db.$queryRaw<{ name: string }[]>`
    SELECT attname::text AS name FROM pg_attribute
    WHERE attrelid = 'duework.job_runs'::regclass AND attnum > 0 AND NOT attisdropped`;
  expect([...written, ...leftEmpty].toSorted()).toEqual(columns.map(({ name }) => name).toSorted());
});
