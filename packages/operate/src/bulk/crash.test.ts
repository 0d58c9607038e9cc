import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { testCatalog, useOperated } from '../testing/use-operated.js';
import { getBulkAction } from './get-bulk-action.js';
import { startBulkAction } from './start-bulk-action.js';

const { database, db, die, step, counts } = useOperated();
const program = fileURLToPath(new URL('../testing/step-for-ever.mjs', import.meta.url));

/** Waits until somebody waits for a lock that a transaction of this test holds. */
async function untilSomebodyWaits(): Promise<void> {
  for (;;) {
    const [row] = await db().$queryRaw<{ n: number }[]>`
      SELECT count(*)::integer AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    if (row!.n > 0) return;
  }
}

test.each([
  ['and its statement is given up', true],
  ['and its statement ends without it', false],
])(
  'a process that is killed in the middle of a step loses and repeats nothing: another goes on, %s',
  async (_, isGivenUp) => {
    const ids = await die(4_000);
    const { id } = await startBulkAction(db(), testCatalog, { verb: 'retry', filter: '', perSecond: 100_000 });
    const child = spawn(process.execPath, [program, database.url], { stdio: 'inherit' });
    const holder = database.connect({ poolSize: 1 });
    await holder.$transaction(
      async (tx) => {
        // its third step has to wait in the middle
        await tx.$queryRaw`SELECT id FROM duework.job_history_dead WHERE id = ${BigInt(ids[2_500]!)} FOR UPDATE`;
        while ((await getBulkAction(db(), id)).done < 2_000);
        await untilSomebodyWaits();
        child.kill('SIGKILL');
        await once(child, 'exit');
        expect(await getBulkAction(db(), id)).toMatchObject({ status: 'running', done: 2_000 });
        if (isGivenUp)
          await db()
            .$executeRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      },
      { timeout: 60_000 },
    );
    await step();
    expect(await getBulkAction(db(), id)).toMatchObject({ status: 'finished', done: 4_000, refused: {} });
    expect(await counts()).toEqual({ queued: 4_000 });
    const lists = await db().bulkActionRun.findMany({ where: { bulkActionId: BigInt(id) } });
    expect(lists.flatMap(({ runIds }) => runIds.map(String)).sort()).toEqual(ids.toSorted());
    expect(await db().bulkUndo.count()).toBe(4_000);
  },
);
