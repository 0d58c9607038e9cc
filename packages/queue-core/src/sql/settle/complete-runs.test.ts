import { beforeEach, describe, expect, test } from '@jest/globals';
import { enqueue, enqueueMany, jobRequest } from '../../enqueue/enqueue.js';
import { retryJob } from '../../queue/operate.js';
import { charge, claim, countBuffers, echo, testCatalog, useTestDatabase } from '@duework/testing/fixtures';
import { buryRuns } from './bury-runs.js';
import type { Completion } from '../../ports/runs.js';
import { completeRuns } from './complete-runs.js';
import { queryRows, sql } from '@duework/sql';
import { registerDefinitions } from '../registry/register-definitions.js';

const database = useTestDatabase();

beforeEach(async () => {
  await database.db.$executeRaw`TRUNCATE duework.job_runs, duework.job_history, duework.job_keys`;
  await registerDefinitions(database.db, testCatalog);
});

const enqueueEchoes = (count: number) =>
  enqueueMany(
    database.db,
    Array.from({ length: count }, (_, n) => jobRequest(echo, { n })),
  );
const completionsOf = (runs: readonly { id: string; fence: number }[]): Completion[] =>
  runs.map(({ id, fence }) => ({ id, fence, result: null }));
const claimCompletions = async (limit: number): Promise<Completion[]> => completionsOf(await claim(database.db, limit));
const idsOf = (completions: readonly { id: string }[]): string[] => completions.map(({ id }) => id).sort();
const finishedIds = async (): Promise<string[]> =>
  (await database.db.jobHistory.findMany()).map((run) => String(run.id)).sort();

/** Claims anew what is claimed already, so that its fence is a higher one. */
async function claimAgain(ids: readonly string[]): Promise<void> {
  await database.db.$executeRaw`
    UPDATE duework.job_runs SET fence = fence + 1, locked_by = 'another' WHERE id = ANY(${ids.map(BigInt)}::bigint[])`;
}

describe('a batch of completions', () => {
  test('of one fence settles what is still its own, and says which', async () => {
    await enqueueEchoes(5);
    const batch = await claimCompletions(5);
    const lost = [batch[1]!, batch[4]!];
    await claimAgain(lost.map(({ id }) => id));
    const kept = batch.filter((completion) => !lost.includes(completion));
    expect((await completeRuns(database.db, batch)).sort()).toEqual(idsOf(kept));
    expect(await finishedIds()).toEqual(idsOf(kept));
  });

  test('of several fences settles each run by its own, not by another one’s', async () => {
    await enqueueEchoes(4);
    const stale = await claimCompletions(4);
    const again = [stale[0]!, stale[1]!];
    await claimAgain(again.map(({ id }) => id));
    // the first one knows its new fence; the second one, whose row has it as well, does not
    const batch = [{ ...again[0]!, fence: again[0]!.fence + 1 }, again[1]!, stale[2]!, stale[3]!];
    const ours = [batch[0]!, batch[2]!, batch[3]!];
    expect((await completeRuns(database.db, batch)).sort()).toEqual(idsOf(ours));
    expect(await finishedIds()).toEqual(idsOf(ours));
  });

  test('of lost leases settles none, and an empty batch none either', async () => {
    await enqueueEchoes(3);
    const batch = await claimCompletions(3);
    await claimAgain(batch.map(({ id }) => id));
    expect(await completeRuns(database.db, batch)).toEqual([]);
    expect(await completeRuns(database.db, [])).toEqual([]);
    expect(await finishedIds()).toEqual([]);
  });
});

describe('last_runs', () => {
  const lastRuns = async (): Promise<Map<string, string | null>> => {
    const rows = await database.db.$queryRaw<
      { job_type: string; run_id: bigint | null }[]
    >`SELECT job_type, run_id FROM duework.last_runs`;
    return new Map(rows.map((row) => [row.job_type, row.run_id === null ? null : String(row.run_id)]));
  };

  test('knows the newest run of each type of a batch, for which the index has one entry a type', async () => {
    await enqueueEchoes(20);
    await enqueueMany(
      database.db,
      [1, 2, 3].map((invoice) => jobRequest(charge, { invoice })),
    );
    const early = await claimCompletions(10);
    const late = await claimCompletions(20);
    await completeRuns(database.db, early);
    expect((await lastRuns()).get('charge')).toBeNull();
    await completeRuns(database.db, late);
    const newest = await database.db.jobHistory.findMany({
      where: { isNewest: true },
      orderBy: [{ jobType: 'asc' }, { finishedAt: 'asc' }],
    });
    expect(newest.map((run) => run.jobType)).toEqual(['charge', 'echo', 'echo']);
    expect(await lastRuns()).toEqual(
      new Map([
        ['charge', String(newest[0]!.id)],
        ['echo', String(newest[2]!.id)],
      ]),
    );
  });

  test('knows what remains of a batch of dead runs when one of them is retried', async () => {
    await enqueueEchoes(2);
    const runs = await claim(database.db, 2);
    const error = {
      code: 'boom',
      error_type: 'Error',
      message: 'no',
      stack: null,
      abort_code: null,
      abort_stage: null,
    };
    await buryRuns(
      database.db,
      runs.map(({ id, fence }) => ({ id, fence, ...error })),
    );
    const last = (await lastRuns()).get('echo')!;
    const other = runs.map(({ id }) => id).find((id) => id !== last);
    await retryJob(database.db, last);
    expect((await lastRuns()).get('echo')).toBe(other);
  });

  test('reads an index entry a type, not ten thousand runs', async () => {
    await enqueue(database.db, charge, { invoice: 1 });
    await completeRuns(database.db, await claimCompletions(1));
    for (let n = 0; n < 20; n++) {
      await enqueueEchoes(500);
      await completeRuns(database.db, await claimCompletions(500));
    }
    const engine = database.connectPg({ poolSize: 1 });
    const count = () => countBuffers(engine, (spy) => queryRows(spy, sql`SELECT * FROM duework.last_runs`), {});
    // the least: the first plans and reads the catalog, and autovacuum makes later ones do so anew
    const counts = [];
    for (let turn = 0; turn < 5; turn++) counts.push(await count());
    expect(Math.min(...counts)).toBeLessThan(60);
  });
});

describe('a settlement stays on its index', () => {
  test.each<[string, (batch: readonly Completion[]) => Completion[]]>([
    ['one fence', (batch) => [...batch]],
    ['several fences', ([first, ...rest]) => [{ ...first!, fence: 7 }, ...rest]],
  ])('with %s and statistics of another time', async (_, change) => {
    await database.db.$executeRaw`ALTER TABLE duework.job_runs SET (autovacuum_enabled = off)`;
    await database.db.$executeRaw`VACUUM ANALYZE duework.job_runs`;
    await enqueueEchoes(20_000);
    const running = await claimCompletions(20_000);
    const engine = database.connectPg({ poolSize: 1 });
    expect(
      await countBuffers(engine, (spy) => completeRuns(spy, change(running.slice(0, 10))), { are_all_settled: true }),
    ).toBeLessThan(400);
  });
});
