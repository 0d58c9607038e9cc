/** Compiled only: what comes after what is typed by what it returns. */
import { defineJob } from '@duework/contracts';
import { z } from 'zod';
import { defineWorkflow } from './define-workflow.js';

const reserve = defineJob({
  type: 'reserve',
  payload: z.object({ orderId: z.int() }),
  result: z.object({ seats: z.array(z.int()) }),
});
const free = defineJob({ type: 'free', payload: z.object({ seats: z.array(z.int()) }) });
const invoice = defineJob({
  type: 'invoice',
  payload: z.object({ orderId: z.int(), seats: z.int() }),
  result: z.object({ pdf: z.string() }),
});
const mail = defineJob({
  type: 'mail',
  payload: z.object({ to: z.string(), pdf: z.string() }),
  result: z.object({ id: z.string() }),
});
const payload = z.object({ orderId: z.int(), to: z.array(z.string()) });

export const order = defineWorkflow({
  type: 'order',
  payload,
  result: z.object({ mails: z.array(z.string()) }),
  jobs: (graph) =>
    graph
      .run('reserve', reserve, { payload: ({ input }) => ({ orderId: input.orderId }) })
      .undo('reserve', free, ({ seats }) => ({ seats }))
      .run('invoice', invoice, {
        after: ['reserve'],
        payload: ({ input, reserve: { seats } }) => ({ orderId: input.orderId, seats: seats.length }),
      })
      .run('thanks', mail, {
        after: ['reserve', 'invoice'],
        when: ({ reserve: { seats } }) => seats.length > 2,
        payload: ({ invoice: { pdf } }) => ({ to: 'ana@example.org', pdf }),
      })
      .each('mails', mail, {
        after: ['invoice', 'thanks'],
        each: ({ input }) => input.to,
        payload: (to, { invoice: { pdf } }) => ({ to, pdf }),
      })
      .run('again', mail, {
        after: ['thanks'],
        onFailure: 'skip',
        // @ts-expect-error it may have been skipped
        payload: ({ thanks }) => ({ to: thanks.id, pdf: '' }),
      }),
  returns: ({ mails, thanks }) => {
    thanks satisfies { id: string } | null;
    return { mails: mails.map(({ id }) => id) };
  },
});

defineWorkflow({
  type: 'wrong',
  payload,
  jobs: (graph) =>
    graph
      .run('reserve', reserve, { payload: ({ input }) => ({ orderId: input.orderId }) })
      // @ts-expect-error there is no such job before it
      .run('mail', mail, { after: ['invoice'], payload: () => ({ to: '', pdf: '' }) }),
});

defineWorkflow({
  type: 'wrong_too',
  payload,
  jobs: (graph) =>
    graph.run('reserve', reserve, { payload: ({ input }) => ({ orderId: input.orderId }) }).run('invoice', invoice, {
      // @ts-expect-error what it does not come after is not known
      payload: ({ reserve: { seats } }) => ({ orderId: 1, seats: seats.length }),
    }),
});
