/** Compiled only: what `defineEvent` and `defineSubscriber` accept and refuse. */
import { z } from 'zod';
import { defineEvent, type EventInput } from './define-event.js';
import { defineSubscriber } from './define-subscriber.js';
import type { PayloadInput, PayloadOf } from './job-contract.js';

const payload = z.object({ orderId: z.int(), customer: z.object({ email: z.string() }) });
const orderPaid = defineEvent({ name: 'order_paid', payload, keep: '7d', sensitive: ['/customer/email'] });

const whole = defineSubscriber({ type: 'book', on: orderPaid });
whole.type satisfies 'book';
({}) as PayloadOf<typeof whole> satisfies { orderId: number; customer: { email: string } };
const mapped = defineSubscriber({
  type: 'receipt',
  on: orderPaid,
  map: ({ orderId, customer }) => ({ order: orderId, to: customer.email }),
  delay: '1h',
  durable: true,
  limits: [{ max: 3, by: 'orderId' }],
});
mapped.durable satisfies true;
({}) as PayloadOf<typeof mapped> satisfies { order: number; to: string };
// what is enqueued is the event's payload, whatever the handler gets
({}) as PayloadInput<typeof mapped> satisfies EventInput<typeof orderPaid>;

// @ts-expect-error there is no such event
defineSubscriber({ type: 'x', on: 'order_paid' });
// @ts-expect-error the event says what the payload is
defineSubscriber({ type: 'x', on: orderPaid, payload });
// @ts-expect-error the event says which version it is
defineSubscriber({ type: 'x', on: orderPaid, version: 2 });
// @ts-expect-error a field that the event has not got
defineSubscriber({ type: 'x', on: orderPaid, map: ({ invoiceId }) => ({ invoiceId }) });
// @ts-expect-error a path that the event has not got
defineSubscriber({ type: 'x', on: orderPaid, limits: [{ max: 1, by: 'invoiceId' }] });
// @ts-expect-error a key is the event's
defineSubscriber({ type: 'x', on: orderPaid, idempotencyKey: ({ orderId }) => `${orderId}` });
// @ts-expect-error a length of time has a unit
defineEvent({ name: 'x', payload, keep: 7 });
// @ts-expect-error a payload that is no plain JSON
defineEvent({ name: 'x', payload: z.object({ at: z.date() }) });
// @ts-expect-error a version above 1 has a past
defineEvent({ name: 'x', version: 2, payload });
defineEvent({ name: 'x', version: 2, payload, past: { 1: { payload: z.object({}), lift: () => ({}) as never } } });
