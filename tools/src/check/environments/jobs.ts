import { defineCatalog, defineJob, defineSignal } from '@duework/contracts';
import { complete, type Handlers } from '@duework/queue-core';
import { scheduleRequest } from '@duework/schedules';
import { z } from 'zod';

const payload = z.object({ n: z.int() });

export const greet = defineJob({ type: 'greet', payload });
export const limited = defineJob({ type: 'limited', payload, limits: [{ name: 'one', max: 1 }] });
export const paid = defineSignal({ name: 'paid', by: ['n'], payload });
export const order = defineJob({ type: 'order', payload, durable: true });
export const done = defineJob({ type: 'done', payload });
export const tick = defineJob({ type: 'tick', payload });
export const catalog = defineCatalog([greet, limited, order, done, tick]);

/** One of each kind: at once, limited, durable with a signal and a child, the end of a batch, of a schedule. */
export const handlers: Handlers<typeof catalog> = {
  greet: ({ payload: { n } }) => complete({ n }),
  limited: () => complete(),
  order: async ({ payload: { n }, waitFor, child }) => {
    await waitFor(paid, { where: { n }, timeout: '1m' });
    await child(greet, { n });
  },
  done: () => complete(),
  tick: () => complete(),
};

export const schedules = [scheduleRequest(tick, { key: 'environments', every: '1s', payload: { n: 0 } })];
