import { afterEach, describe, expect, test } from '@jest/globals';
import { countBuffers, useTestDatabase } from '@duework/testing/fixtures';
import { retryRun } from './retry-run.js';

const database = useTestDatabase();

const fill = (rows: number) => database.db.$executeRaw`
  INSERT INTO duework.job_effects (job_type, run_key, name, status, run_id, fence, done_at)
  SELECT 'mail', 'mail:' || n, 'send', 'done', n, 1, now() FROM generate_series(1, ${rows}::int) AS n`;
const fillRuns = () => database.db.$executeRaw`
  INSERT INTO duework.job_runs (id, queue, job_type, job_version, priority, run_at, payload, max_attempts)
  SELECT n, 'default', 'mail', 1, 5, now() + interval '1 hour', '{}', 10 FROM generate_series(1, 5) AS n`;

afterEach(() => database.db.$executeRaw`TRUNCATE duework.job_effects, duework.job_runs`);

describe.each(['connect', 'connectPg'] as const)('through %s', (connect) => {
  test.each([
    ['never analysed', false],
    ['that say how many there are', true],
  ])("an operator's retry touches a few pages beside 100,000 effects, with statistics %s", async (_, isAnalysed) => {
    const db = database[connect]({ poolSize: 1 });
    await fill(100_000);
    await fillRuns();
    if (isAnalysed) await database.db.$executeRaw`VACUUM ANALYZE duework.job_effects`;
    // a session reads its functions once
    await retryRun(db, '4', { effectsHappened: false, fromStep: null });
    expect(
      await countBuffers(db, (spy) => retryRun(spy, '3', { effectsHappened: false, fromStep: null }), { run_at_ms: 1 }),
    ).toBeLessThan(100);
  });
});
