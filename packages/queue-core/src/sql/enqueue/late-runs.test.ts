import { beforeEach, expect, test } from '@jest/globals';
import { claim, echo, emptyTables, testCatalog, useTestDatabase } from '@duework/testing/fixtures';
import { enqueue } from '../../enqueue/enqueue.js';
import { getJob, retryJob } from '../../queue/operate.js';
import { buryRuns } from '../settle/bury-runs.js';
import { completeRuns } from '../settle/complete-runs.js';
import { registerDefinitions } from '../registry/register-definitions.js';

const database = useTestDatabase();
const error = { code: 'boom', error_type: 'Error', message: 'no', stack: null, abort_code: null, abort_stage: null };

beforeEach(async () => {
  await emptyTables(database.db, 'job_runs, job_history, job_attempts');
  await registerDefinitions(database.db, testCatalog);
});

/** Enqueues and claims a run, as if `days` days ago. */
async function claimAged(days: number): Promise<{ id: string; fence: number }> {
  await enqueue(database.db, echo, { n: 1 });
  await database.db.$executeRaw`UPDATE duework.job_runs SET id = id - ${days}::bigint * 100000000000`;
  await database.db.$executeRaw`SELECT duework.ensure_partitions(0, 3)`;
  const [run] = await claim(database.db, 1);
  return run!;
}

/** The tables that the run and its attempts are in, without their days. */
const tables = async (id: string): Promise<string[]> => {
  const rows = await database.db.$queryRaw<{ table: string }[]>`
    SELECT regexp_replace(tableoid::regclass::text, '_\\d{8}$', '_day') AS table FROM duework.job_history WHERE id = ${BigInt(id)}
    UNION ALL
    SELECT regexp_replace(tableoid::regclass::text, '_\\d{8}$', '_day') FROM duework.job_attempts WHERE run_id = ${BigInt(id)}`;
  return rows.map(({ table }) => table.replace('duework.', ''));
};

test.each([
  [0, 'job_history_succeeded_day', 'job_attempts_day'],
  [1, 'job_history_succeeded_day', 'job_attempts_day'],
  [2, 'job_history_late', 'job_attempts_late'],
])(
  'a run that ends %s days after the day of its id is kept for as long as any other: in %s, its attempts in %s',
  async (days, history, attempts) => {
    const run = await claimAged(days);
    await buryRuns(database.db, [{ id: run.id, fence: run.fence, ...error }]);
    expect(await tables(run.id)).toEqual(['job_history_dead', attempts]);
    await retryJob(database.db, run.id);
    const [again] = await claim(database.db, 1);
    await completeRuns(database.db, [{ id: again!.id, fence: again!.fence, result: null }]);
    expect(await tables(run.id)).toEqual([history, attempts]);
    expect(await getJob(database.db, run.id)).toMatchObject({
      job: { status: 'succeeded' },
      attempts: [{ attempt: 1 }],
    });
  },
);
