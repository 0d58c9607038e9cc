import { defineCatalog, defineJob } from '@duework/contracts';
import { queryRows, sql } from '@duework/sql';
import { startTestWorker } from '@duework/testing';
import { useTestDatabase } from '@duework/testing/fixtures';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueueBatch } from '../batches/enqueue-batch.js';
import { enqueueMany, jobRequest } from '../enqueue/enqueue.js';

const database = useTestDatabase();
const payload = z.object({ account: z.string() });
const mail = defineJob({ type: 'mail', payload, limits: [{ by: 'account', max: 1 }] });
const done = defineJob({ type: 'done', payload: z.unknown() });
const catalog = defineCatalog([mail, done]);

test('every table, and every partition of one, says by what its rows are told apart, as a publication of all tables needs', async () => {
  // the rows of a partitioned table are those of its partitions, and what is not logged is not published
  const without = await queryRows<{ name: string }>(
    database.db,
    sql`
    SELECT c.relname::text AS name FROM pg_class AS c
    WHERE c.relnamespace = 'duework'::regnamespace AND c.relkind = 'r' AND c.relpersistence = 'p' AND CASE c.relreplident
      WHEN 'f' THEN false
      WHEN 'd' THEN NOT EXISTS (SELECT FROM pg_index AS i WHERE i.indrelid = c.oid AND i.indisprimary)
      ELSE NOT EXISTS (SELECT FROM pg_index AS i WHERE i.indrelid = c.oid AND i.indisreplident) END
    ORDER BY 1`,
  );
  expect(without).toEqual([]);
});

test('jobs with limits run, and batches settle, while all tables are published', async () => {
  await database.db.$executeRaw`CREATE PUBLICATION cdc FOR ALL TABLES`;
  const { worker, events } = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    handlers: { mail: () => {}, done: () => {} },
  });
  const jobs = Array.from({ length: 3 }, () => jobRequest(mail, { account: 'a' }));
  await enqueueMany(database.db, jobs);
  await enqueueBatch(database.db, { jobs, onSettled: jobRequest(done, {}) });
  await events.waitFor('job.succeeded', 7);
  await worker.stop({ deadlineMs: 0 });
  expect(events.named('database.failed')).toEqual([]);
});
