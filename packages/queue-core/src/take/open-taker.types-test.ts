import { defineJob } from '@duework/contracts';
import { z } from 'zod';
import { openTaker, type Queryable } from '../index.js';

declare const db: Queryable;
const mail = defineJob({
  type: 'mail',
  payload: z.object({ to: z.string() }),
  result: z.object({ sent: z.boolean() }),
});
const page = defineJob({ type: 'page', payload: z.object({ url: z.string() }) });

export async function takesTyped(): Promise<void> {
  for (const job of await openTaker(db, { contracts: [mail, page] }).take({ limit: 2 })) {
    if (job.type === 'mail') {
      const to: string = job.payload.to;
      await job.complete({ sent: to !== '' });
      // @ts-expect-error: not a result of this contract
      await job.complete({ pages: 1 });
      // @ts-expect-error: of another contract
      void job.payload.url;
    } else {
      const url: string = job.payload.url;
      await job.complete(url);
    }
    // @ts-expect-error: no type of this catalog
    void (job.type === 'order');
  }
}
