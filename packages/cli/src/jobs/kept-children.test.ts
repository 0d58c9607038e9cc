import { defineCatalog, defineJob } from '@duework/contracts';
import { createPostgresStore, enqueue } from '@duework/queue-core';
import { startTestWorker } from '@duework/testing';
import { agedId, ageByDays } from '@duework/testing/fixtures';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { useProgram } from '../testing/use-program.js';

const { api, run } = useProgram();
const payload = z.object({ n: z.int() });
const order = defineJob({ type: 'order', payload, durable: true });
const bill = defineJob({ type: 'bill', payload });
const catalog = defineCatalog([order, bill]);
const DAY_MS = 86_400_000;

test('the child of a workflow that sleeps for longer than jobs are kept is shown and listed by its parent, on the API and on the database', async () => {
  const { worker, events } = await startTestWorker<typeof catalog>(api.db, {
    catalog,
    handlers: {
      order: async ({ payload: { n }, sleep, child }) => {
        await child(bill, { n });
        await sleep(new Date(Date.now() + 60 * DAY_MS));
      },
      bill: () => {},
    },
  });
  const parent = await enqueue(api.db, order, { n: 7 });
  while ((await api.db.jobStep.count({ where: { name: 'sleep' } })) === 0) await events.next();
  const child = await api.db.jobHistory.findFirstOrThrow({ where: { jobType: 'bill' } });
  await worker.stop({ deadlineMs: 0 });
  await ageByDays(api.db, 45);
  const [parentId, childId] = [agedId(parent.id, 45), agedId(String(child.id), 45)];

  await createPostgresStore({ db: api.db }).prune({ keepDays: 30, keepDeadDays: 90 });
  for (const where of ['api', 'database'] as const) {
    expect((await run(where, 'show', childId)).out).toMatch(
      new RegExp(`^status +succeeded[^]*^parent +job ${parentId}$`, 'm'),
    );
    expect((await run(where, 'jobs', `parent:${parentId}`)).out).toContain(`${childId}  bill`);
  }
});
