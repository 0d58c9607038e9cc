import { expect, test } from '@jest/globals';
import { enqueue } from './enqueue/enqueue.js';
import { retryJob } from './queue/operate.js';
import { buryRuns } from './sql/settle/bury-runs.js';
import { claim, echo, useTestDatabase } from '@duework/testing/fixtures';

// every status × every verb: store/conformance/transition-cases.ts, on each store
const database = useTestDatabase();

test('two retries of one dead run at the same time bring it back once', async () => {
  const { id } = await enqueue(database.db, echo, { n: 1 });
  const [run] = await claim(database.db, 1);
  await buryRuns(database.db, [
    {
      id,
      fence: run!.fence,
      code: 'boom',
      error_type: 'Error',
      message: 'broke',
      stack: null,
      abort_code: null,
      abort_stage: null,
    },
  ]);
  const [left, right] = [database.connect({ poolSize: 1 }), database.connect({ poolSize: 1 })];
  await Promise.all([retryJob(left, id), retryJob(right, id)]);
  expect(await database.db.jobRun.count({ where: { id: BigInt(id) } })).toBe(1);
  expect(await database.db.jobHistory.count({ where: { id: BigInt(id) } })).toBe(0);
});
