/** Compiled only: what the types of the kit accept and refuse. */
import { defineCatalog, defineJob } from '@duework/contracts';
import type { Queryable } from '@duework/queue-core';
import { z } from 'zod';
import { assertEnqueued, drain, performJob, refuteEnqueued } from './index.js';

declare const db: Queryable;
const ship = defineJob({
  type: 'ship',
  payload: z.object({
    orderId: z.int(),
    to: z.object({ city: z.string(), zip: z.string() }),
    tags: z.array(z.string()),
  }),
});

export async function accepted(): Promise<void> {
  await assertEnqueued(db, ship, { payload: { to: { city: 'Ulm' } }, key: 'x', count: 1, within: '1s' });
  await refuteEnqueued(db, ship, { payload: { tags: ['a'] } });
  await performJob(
    ship,
    { orderId: 1, to: { city: 'Ulm', zip: '1' }, tags: [] },
    ({ payload }) => void payload.to.city,
  );
  await performJob(ship, { anything: 'older' }, { ship: () => {} }, { version: 1 });
  await drain(db, { catalog: defineCatalog([ship]), handlers: { ship: () => {} } });
}

export async function refused(): Promise<void> {
  // @ts-expect-error a field that the payload does not have
  await assertEnqueued(db, ship, { payload: { to: { country: 'de' } } });
  // @ts-expect-error a field of another type
  await refuteEnqueued(db, ship, { payload: { orderId: '1' } });
  // @ts-expect-error a payload that does not fit
  await performJob(ship, { orderId: 1 }, () => {});
  // @ts-expect-error a map without the handler
  await performJob(ship, { orderId: 1, to: { city: 'Ulm', zip: '1' }, tags: [] }, { bill: () => {} });
  // @ts-expect-error a handler is missing
  await drain(db, { catalog: defineCatalog([ship]), handlers: {} });
}
