import { setTimeout as pause } from 'node:timers/promises';
import type { PrismaClient } from '@duework/database';
import { addToBatch, bury, complete, type Handlers, jobRequest } from '@duework/queue-core';
import type { oldCatalog } from '../jobs.js';
import * as jobs from '../jobs.js';

/** Of so many trips one fails between two of its steps, and one waits with a timeout at first. */
const TRIPS = 5;
/** Of so many parts one dies, and one adds another. */
const PARTS = 40;

/** The handlers of workflows, and those of the jobs of batches. */
export function createWorkflowHandlers(
  db: PrismaClient,
): Pick<Handlers<typeof oldCatalog>, 'trip' | 'packing' | 'part' | 'told'> {
  return {
    trip: async ({ run, payload: { n, ms }, fence, step, sleep, waitFor, child }) => {
      await step('reserve', () => pause(ms));
      await db.$transaction((tx) =>
        step.in(
          tx,
          'book',
          async (own) => void (await own.$executeRaw`INSERT INTO torture.bookings (run_id) VALUES (${run.id}::bigint)`),
        ),
      );
      if (fence === 1 && n % TRIPS === 0) throw new Error('not yet');
      const pay = async (): Promise<number> => {
        const isHasty = n % TRIPS === 1;
        const early = isHasty ? await waitFor(jobs.paid, { where: { n }, timeout: '300ms', name: 'early' }) : null;
        return (early ?? (await waitFor(jobs.paid, { where: { n } }))).amount;
      };
      const [amount] = await Promise.all([pay(), child(jobs.packing, { of: run.id, ms })]);
      await sleep('200ms');
      return complete({ amount });
    },
    packing: async ({ payload: { of, ms } }) => {
      await pause(ms);
      return complete({ box: of });
    },
    part: async ({ run, payload: { n, ms } }) => {
      await pause(ms);
      if (n % PARTS === 0) return bury('part_dies', 'some parts die');
      const batch = run.terms?.batch;
      if (n % PARTS === 1 && batch !== undefined) {
        const more = jobRequest(jobs.part, { n: -n, ms }, { idempotencyKey: `behind:${run.id}` });
        try {
          await addToBatch(db, batch, [more]);
        } catch (error) {
          // an operator has retried it later
          if ((error as { code?: string }).code !== 'batch_settled') throw error;
        }
      }
      return undefined;
    },
    told: async () => {},
  };
}
