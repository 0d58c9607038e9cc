import { defineCatalog, defineJob } from '@duework/contracts';
import type { PrismaClient } from '@duework/database';
import { beforeEach } from '@jest/globals';
import { z } from 'zod';
import type { TickReport, WorkerEvent } from '@duework/queue-core';
import { findDueTimes } from '../operate-schedules.js';
import { tickSchedules } from '../tick/tick-schedules.js';
import { emptyTables, useTestDatabase } from '@duework/testing/fixtures';

export const tidy = defineJob({ type: 'tidy', payload: z.object({ day: z.iso.date() }) });
export const note = defineJob({ type: 'note', payload: z.object({ n: z.int() }) });
export const bill = defineJob({
  type: 'bill',
  payload: z.object({ day: z.iso.date() }),
  idempotencyKey: ({ day }) => `bill:${day}`,
});
export const catalog = defineCatalog([tidy, note, bill]);

export const HOUR = 3_600_000;

/** A database of its own, emptied of schedules before each test, with the verbs that tests of schedules need. */
export function useSchedules() {
  const database = useTestDatabase();
  const db = (): PrismaClient => database.db;
  beforeEach(async () => {
    await emptyTables(
      db(),
      'schedules, schedule_lists, schedule_declarations, schedule_ledger, job_runs, job_keys, job_alerts',
    );
  });

  return {
    database,
    db,
    /** Sets the next due time to `dueAt`, which has to be one of the rule, as if nobody had ticked since. */
    async lag(key: string, dueAt: Date): Promise<void> {
      await db()
        .$executeRaw`UPDATE duework.schedules SET next_due_at = ${dueAt.toISOString()}::timestamptz, tick_at = ${dueAt.toISOString()}::timestamptz + splay_offset_ms * interval '1 millisecond' WHERE key = ${key}`;
    },
    /** The start of the minute so many minutes ago, on the database's clock. */
    async minutesAgo(minutes: number): Promise<Date> {
      const [row] = await db().$queryRaw<
        { ms: number }[]
      >`SELECT (extract(epoch FROM date_trunc('minute', now())) * 1000)::float8 AS ms`;
      return new Date(row!.ms - minutes * 60_000);
    },
    tick: (events: WorkerEvent[] = [], client = db()): Promise<TickReport> =>
      tickSchedules({ db: client, catalog, worker: 'w', emit: (event) => void events.push(event) }),
    outcomes: async (scheduleKey: string) =>
      (await findDueTimes(db(), { scheduleKey, limit: 1_000 })).dueTimes
        .toReversed()
        .map(({ outcome, reason }) => (reason === null ? outcome : `${outcome}: ${reason}`)),
    runs: () => db().jobRun.findMany({ orderBy: { id: 'asc' } }),
  };
}
