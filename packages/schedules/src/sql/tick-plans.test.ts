import { afterEach, describe, expect, test } from '@jest/globals';
import type { JobContract } from '@duework/contracts';
import { countBuffers, useTestDatabase } from '@duework/testing/fixtures';
import { lockDueSchedules } from './lock-due-schedules.js';
import { note, tidy } from '../testing/use-schedules.js';
import { readNextTick } from './read-next-tick.js';
import type { RawClient } from '@duework/queue-core';

const database = useTestDatabase();
const contracts = new Map<string, JobContract>([note, tidy].map((contract) => [contract.type, contract]));

/** Schedules whose next due time is that far from now. */
const fill = (rows: number, tickAt: string) => database.db.$executeRaw`
  INSERT INTO duework.schedules (key, job_type, job_version, payload, cron, time_zone, missed, missed_tolerance_ms, missed_limit, missed_max_age_ms,
    overlap, overlap_limit, splay_ms, splay_offset_ms, source, next_due_at, tick_at)
  SELECT 's:' || nextval(pg_get_serial_sequence('duework.schedules', 'id')), 'note', 1, '{}', '0 9 * * 1', 'UTC', 'latest', 0, 1, 0, 'skip', 1, 0, 0, 'api', at, at
  FROM generate_series(1, ${rows}::int) AS n CROSS JOIN LATERAL (SELECT now() + ${tickAt}::text::interval + n * interval '1 millisecond' AS at) AS x`;
const analyse = () => database.db.$executeRaw`VACUUM ANALYZE duework.schedules`;

afterEach(() => database.db.$executeRaw`TRUNCATE duework.schedules`);

const nextTick = (db: RawClient) =>
  countBuffers(db, (spy) => readNextTick(spy, contracts), { due_in_ms: 1, resume_in_ms: null });
const lockDue = (db: RawClient) =>
  countBuffers(db, (spy) => lockDueSchedules(spy, contracts, 10), {
    schedules: '[]',
    now_ms: 0,
    transaction_id: '1',
  });

describe.each(['connect', 'connectPg'] as const)('through %s', (connect) => {
  test.each<[string, () => Promise<unknown>]>([
    ['never analysed', () => fill(20_000, '1 hour')],
    [
      'that say there is nothing',
      async () => {
        await analyse();
        await fill(20_000, '1 hour');
      },
    ],
    [
      'that say how many there are',
      async () => {
        await fill(100_000, '1 hour');
        await analyse();
      },
    ],
    [
      'of when there were ten',
      async () => {
        await fill(10, '1 hour');
        await analyse();
        await fill(50_000, '1 hour');
      },
    ],
  ])('an idle tick reads a few pages only, with statistics %s', async (_, arrange) => {
    const db = database[connect]({ poolSize: 1 });
    await database.db.$executeRaw`ALTER TABLE duework.schedules SET (autovacuum_enabled = off)`;
    await arrange();
    expect(await nextTick(db)).toBeLessThan(20);
    expect(await lockDue(db)).toBeLessThan(20);
    await fill(30, '-1 minute');
    expect(await nextTick(db)).toBeLessThan(20);
    // ten rows, and their locks
    expect(await lockDue(db)).toBeLessThan(200);
  });
});
