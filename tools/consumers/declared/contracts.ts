/** Every kind of contract, exported as it is inferred: `declaration` has to be able to write each one down. */
import * as contracts from '@duework/contracts';
import { deadJob, defineCatalog, defineJob, defineSignal, defineWorkflow, exponential } from 'duework';
import { scheduleRequest } from 'duework/schedules';
import { z } from 'zod';

const payload = z.object({ orderId: z.int(), customer: z.object({ id: z.string(), iban: z.string() }) });

export const plain = defineJob({ type: 'plain', payload });
export const answering = defineJob({
  type: 'answering',
  payload,
  result: z.object({ pages: z.int() }),
  progress: z.object({ done: z.number() }),
  sensitiveResult: ['/pages'],
});
export const limited = defineJob({
  type: 'limited',
  payload,
  limits: [
    { name: 'smtp', max: 5 },
    { by: 'customer.id', max: 1, cost: ({ orderId }) => orderId },
  ],
  rate: { max: 100, per: '1m' },
  order: { by: 'customer.id', onFailure: 'step_over' },
  tenant: { by: 'customer.id', weight: 2 },
  breaker: { share: 0.5, of: 20, pause: '30s' },
});
export const single = defineJob({
  type: 'single',
  payload,
  unique: { by: 'customer.id', onConflict: 'replace' },
  retry: exponential({ base: '10s' }),
  onDead: 'buried',
});
export const buried = defineJob({ type: 'buried', payload: deadJob, payloadJsonSchema: {} });
export const collected = defineJob({
  type: 'collected',
  payload,
  collect: { max: 100, wait: '2s', by: ({ customer }) => customer.id },
});
export const durable = defineJob({ type: 'durable', payload, durable: true });
export const isolated = defineJob({ type: 'isolated', payload, isolate: { memoryMb: 64 } });
export const secret = defineJob({
  type: 'secret',
  payload,
  sensitive: ['/customer/iban'],
  encryption: 'required',
});
export const lifted = defineJob({
  type: 'lifted',
  version: 2,
  payload,
  past: {
    1: { payload: z.object({ id: z.int() }), lift: ({ id }) => ({ orderId: id, customer: { id: '', iban: '' } }) },
  },
});
export const paid = defineSignal({ name: 'paid', payload, by: ['orderId'] });
export const workflow = defineWorkflow({
  type: 'workflow',
  payload,
  jobs: (graph) =>
    graph
      .run('first', answering, { payload: ({ input }) => input })
      .undo('first', plain, () => ({ orderId: 1, customer: { id: '', iban: '' } }))
      .each('others', plain, { after: ['first'], each: () => [1], payload: (_, { input }) => input }),
});
export const all = [
  plain,
  answering,
  limited,
  single,
  buried,
  collected,
  durable,
  isolated,
  secret,
  lifted,
  workflow,
] as const;
export const catalog = defineCatalog(all);
export const { past, flow, unique, collect, retry, keyOf, payloadJsonSchema, errors } = lifted;
export const nightly = scheduleRequest(plain, {
  key: 'nightly',
  cron: '0 3 * * *',
  timeZone: 'UTC',
  payload: { orderId: 1, customer: { id: '', iban: '' } },
});

export const alone = contracts.defineJob({
  type: 'alone',
  payload,
  result: z.object({ pages: z.int() }),
  limits: [{ by: 'customer.id', max: 1 }],
  unique: { by: 'customer.id' },
  collect: { max: 2, wait: '1s' },
});
export const ofContracts = contracts.defineCatalog([alone, contracts.defineJob({ type: 'other', payload })]);
export const { past: pastOfAlone, flow: flowOfAlone, unique: uniqueOfAlone } = alone;

/** A type that is known late: what is inferred names the types that the options are made of. */
export const of = <TType extends string, T extends z.ZodType<{ id: string }, { id: string }>>(type: TType, schema: T) =>
  defineJob({ type, payload: z.object({ schema }) });
export const define = defineJob;
export const defineOther = contracts.defineJob;
