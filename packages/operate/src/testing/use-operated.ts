import type { PrismaClient } from '@duework/database';
import { createPostgresStore, enqueueMany, getJob, jobRequest, type Job } from '@duework/queue-core';
import { charge, claim, echo, emptyTables, testCatalog, useTestDatabase } from '@duework/testing/fixtures';
import { beforeEach } from '@jest/globals';
import { stepBulkActions } from '../bulk/step-bulk-actions.js';

export { charge, echo, testCatalog };
export const ANA = {
  by: 'person:ana@example.org',
  via: 'api',
  from: '192.0.2.7',
  reason: 'the provider is back',
} as const;

/** What every run was enqueued with beside its payload. */
export const META = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' };

/** A database of its own, emptied of jobs before each test, and the ways of bringing jobs into the states that operators meet. */
export function useOperated() {
  const database = useTestDatabase();
  const db = (): PrismaClient => database.db;
  let lastEntry = 0n;
  beforeEach(async () => {
    await emptyTables(db(), 'job_runs, job_history, job_attempts, job_keys, job_effects, bulk_undos');
    await db().$executeRaw`DELETE FROM duework.bulk_actions`;
    lastEntry = (await db().auditEntry.findFirst({ orderBy: { id: 'desc' } }))?.id ?? 0n;
  });
  const wait = async (count: number, first = 1): Promise<string[]> =>
    (
      await enqueueMany(
        db(),
        Array.from({ length: count }, (_, index) => jobRequest(echo, { n: first + index }, { meta: META })),
      )
    ).map(({ id }) => id);

  return {
    database,
    db,
    /** So many waiting runs of `echo`, with n from `first` on. */
    wait,
    /** So many dead runs of `echo`. */
    async die(count: number, message = 'connect ECONNREFUSED', code = 'boom'): Promise<string[]> {
      await wait(count);
      const store = createPostgresStore({ db: db() });
      const runs = await claim(db(), count);
      const error = { code, type: 'Error', message, stack: null };
      await store.settle(runs.map(({ id, fence }) => ({ id, fence, kind: 'bury', error, abort: null })));
      return runs.map(({ id }) => id).sort((a, b) => Number(BigInt(a) - BigInt(b)));
    },
    claim: (count: number) => claim(db(), count),
    /** Moves all actions on until none is left. */
    step: () => stepBulkActions(db(), testCatalog, new AbortController().signal),
    job: async (id: string): Promise<Job> => (await getJob(db(), id)).job,
    /** How many jobs there are, by status. */
    async counts(): Promise<Record<string, number>> {
      const rows = await db().$queryRaw<{ status: string; n: number }[]>`
        SELECT status, count(*)::integer AS n FROM duework.jobs GROUP BY status ORDER BY status`;
      return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
    },
    /** The entries of the audit that the test has made, oldest first. */
    entries: () => db().auditEntry.findMany({ where: { id: { gt: lastEntry } }, orderBy: { id: 'asc' } }),
  };
}
