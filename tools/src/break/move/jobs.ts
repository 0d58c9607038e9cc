/**
 * The jobs that move, as a product's module of jobs; each run is written down outside both systems, as it begins and
 * ends.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { defineCatalog, defineJob } from '@duework/contracts';
import { complete } from '@duework/queue-core/handling';
import { z } from 'zod';
import { writeWitness } from './witness.js';

const sendMail = defineJob({
  type: 'send-mail',
  queue: 'mail',
  payload: z.object({ n: z.int(), state: z.enum(['due', 'later', 'retry', 'failed']) }),
});
export const catalog = defineCatalog([sendMail]);

export const handlers = {
  async 'send-mail'({ payload: { n } }: { readonly payload: { readonly n: number } }) {
    await witnessed(n, 'new');
    return complete();
  },
};

/** So slow that there is something to move. */
const WORK_MS = 50;

export async function witnessed(n: number, side: 'old' | 'new'): Promise<void> {
  writeWitness({ n, side, is: 'begun' });
  await pause(WORK_MS);
  writeWitness({ n, side, is: 'done' });
}
