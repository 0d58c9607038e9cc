import { createHash } from 'node:crypto';
import { connectPrisma } from '@duework/database';
import { type Migration, migrations, revertMigrations, runMigrations } from '@duework/database/migrate';
import { createTestDatabase } from '@duework/database/testing';
import { openQueue } from '@duework/queue-core';
import { startTestWorker } from '@duework/testing';
import { untilJob } from '@duework/testing/fixtures';
import { expect, test } from '@jest/globals';
import { openClient } from '../../kit/open-client.js';
import { dumpDatabase } from '../../write/schema/dump-database.js';
import { releaseCatalog } from './contracts.js';
import { dumpRows } from './dump-rows.js';
import { fillDatabase } from './fill-database.js';

const make = (name: string, sql: string, down: string): Migration => ({
  name,
  sql,
  checksum: createHash('sha256').update(sql).digest('hex'),
  down,
});
/** What later releases do most: a column of live and of finished jobs with its index, and a view that shows it. */
const LATER = [
  make(
    '29990101000000_region',
    `ALTER TABLE duework.job_runs ADD COLUMN region text;
     ALTER TABLE duework.job_history ADD COLUMN region text NOT NULL DEFAULT 'eu';
     CREATE VIEW duework.regions AS SELECT region, count(*) AS jobs FROM duework.job_history GROUP BY region;`,
    `-- would lose: regions of jobs that wait
SELECT id FROM duework.job_runs WHERE region IS NOT NULL;
-- would lose: regions of jobs that have ended
SELECT id FROM duework.job_history WHERE region <> 'eu';
DROP VIEW duework.regions;
ALTER TABLE duework.job_history DROP COLUMN region;
ALTER TABLE duework.job_runs DROP COLUMN region;`,
  ),
  make(
    '29990102000000_region_index',
    '-- outside a transaction\nDROP INDEX CONCURRENTLY IF EXISTS duework.job_runs_region_idx;\nCREATE INDEX CONCURRENTLY job_runs_region_idx ON duework.job_runs (region) WHERE region IS NOT NULL;\n',
    'DROP INDEX duework.job_runs_region_idx;',
  ),
];

test('a full database is taken back two releases and up again with all its rows, and its jobs run', async () => {
  const { url, drop } = await createTestDatabase();
  const db = connectPrisma({ url });
  try {
    const schema = await dumpDatabase(url);
    let rows = '';
    await fillDatabase(url, async () => void (rows = await dumpRows(url)));
    const run = async (sql: string): Promise<void> => {
      const client = await openClient(url);
      await client.query(sql);
      await client.end();
    };
    // the worker that has filled it is gone, and one of its jobs still runs
    const before = await dumpRows(url);
    expect(rows.length).toBeGreaterThan(1_000);
    const all = [...migrations, ...LATER];
    const up = () => runMigrations({ url, schema: 'duework', migrations: all });
    const down = () =>
      revertMigrations({ url, schema: 'duework', migrations: all, releases: [], to: migrations.at(-1)!.name });
    await up();
    const newer = await dumpDatabase(url);
    await run(`UPDATE duework.job_history SET region = 'us' WHERE status = 'dead'`);
    await expect(down()).rejects.toMatchObject({ problem: expect.stringContaining('jobs that have ended (1: ') });
    await run(`UPDATE duework.job_history SET region = 'eu'`);
    expect((await down()).reverted).toEqual(LATER.map(({ name }) => name).toReversed());
    expect(await dumpDatabase(url)).toBe(schema);
    expect(await dumpRows(url)).toBe(before);
    await up();
    expect(await dumpDatabase(url)).toBe(newer);
    await down();
    const waiting = await db.$queryRaw<{ id: bigint }[]>`UPDATE duework.job_runs SET run_at = now() RETURNING id`;
    const { worker } = await startTestWorker(db, {
      catalog: releaseCatalog,
      handlers: { step: () => {}, keyed: () => {} },
    });
    expect(waiting.length).toBeGreaterThan(2);
    for (const { id } of waiting) await untilJob(openQueue(db), String(id), { status: 'succeeded' });
    await worker.stop({ deadlineMs: 5_000 });
  } finally {
    await db.$disconnect();
    await drop();
  }
});
