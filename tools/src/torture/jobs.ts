/** What the tortured product does: jobs whose effects can be counted afterwards, each in its own way. */
import { defineCatalog, defineJob, exponential } from '@duework/contracts';
import { z } from 'zod';

/** Of everything but `report`: after it, and five seconds, the run of a worker that went silent goes on. */
export const LEASE_MS = 4_000;
/** Long, so that only the death of its worker can explain that a run starts again soon. */
export const LONG_LEASE_MS = 30_000;

/** `n` is the number of the producer's call, `ms` how long the handler takes. */
const payload = z.object({ n: z.int(), ms: z.int() });
const common = {
  payload,
  lease: `${LEASE_MS}ms`,
  timeout: '20s',
  maxAttempts: 30,
  retry: exponential({ base: '200ms', cap: '2s' }),
} as const;

/** May run twice after a crash; nobody minds. */
export const plain = defineJob({ ...common, type: 'plain' });
/** Fails at its first attempts. */
export const flaky = defineJob({ ...common, type: 'flaky' });
/** Comes back later, uncharged. */
export const patient = defineJob({ ...common, type: 'patient' });
/** Leaves the system, and must not do so twice. */
export const mail = defineJob({ ...common, type: 'mail', idempotencyKey: ({ n }) => `mail:${n}` });
/** Leaves the system, and may do so again if it says that it does. */
export const webhook = defineJob({
  ...common,
  type: 'webhook',
  effects: 'at_least_once',
  idempotencyKey: ({ n }) => `webhook:${n}`,
});
/** Its effect is in the database, and commits with the run. */
export const payment = defineJob({ ...common, type: 'payment', queue: 'money', priority: 1 });
/** Takes its time: it lives on renewals. */
export const report = defineJob({ ...common, type: 'report', lease: `${LONG_LEASE_MS}ms`, timeout: '40s' });
/** Made by a schedule. */
export const slotted = defineJob({
  ...common,
  type: 'slotted',
  payload: z.object({ schedule: z.string(), slot: z.string() }),
});
/** Only the new version of the workers knows it. */
export const audit = defineJob({ ...common, type: 'audit' });

/** What the workers of the old version know. */
export const oldCatalog = defineCatalog([plain, flaky, patient, mail, webhook, payment, report, slotted]);
/** What those of the new one know. */
export const newCatalog = defineCatalog([...oldCatalog, audit]);
export const [OLD_VERSION, NEW_VERSION] = [1, 2] as const;

/** The rules: two that fire every few seconds, and one that people pause; all of them catch up on everything they missed. */
const rule = { missed: { policy: 'all', limit: 1_000 }, overlap: 'allow' } as const;
export const PAUSED_SCHEDULE = 'paused-by-people';
export const SCHEDULES = [
  { key: 'every-second', every: '1s', ...rule },
  { key: 'every-three', every: '3s', ...rule },
  { key: PAUSED_SCHEDULE, every: '2s', ...rule },
] as const;
