/** The jobs of the tortured product, whose effects can be counted afterwards, each in its own way. */
import { defineCatalog, defineJob, defineSignal, exponential } from '@duework/contracts';
import { z } from 'zod';

/** The lease of every job but `report`: five seconds after its worker went silent, a run is claimed again. */
export const LEASE_MS = 4_000;
/** A long lease, so that only the death of its worker can explain that a run starts again soon. */
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

/** May run twice after a crash without harm. */
export const plain = defineJob({ ...common, type: 'plain' });
/** Fails at its first attempts, and then succeeds. */
export const flaky = defineJob({ ...common, type: 'flaky' });
/** Snoozes: runs again later, uncharged. */
export const patient = defineJob({ ...common, type: 'patient' });
/** Its effect leaves the system, and must not happen twice. */
export const mail = defineJob({ ...common, type: 'mail', idempotencyKey: ({ n }) => `mail:${n}` });
/** Its effect leaves the system, and may happen again if it says so. */
export const webhook = defineJob({
  ...common,
  type: 'webhook',
  effects: 'at_least_once',
  idempotencyKey: ({ n }) => `webhook:${n}`,
});
/** Its effect is in the database, and commits with the run. */
export const payment = defineJob({ ...common, type: 'payment', queue: 'money', priority: 1 });
/** Takes so long that its lease must be renewed. */
export const report = defineJob({ ...common, type: 'report', lease: `${LONG_LEASE_MS}ms`, timeout: '40s' });
/** Enqueued by a schedule. */
export const slotted = defineJob({
  ...common,
  type: 'slotted',
  payload: z.object({ schedule: z.string(), dueTime: z.string() }),
});
/** Its payload has another shape in the new version. */
const movedBefore = z.object({ n: z.int(), ms: z.int() });
export const oldMoved = defineJob({ ...common, type: 'moved', payload: movedBefore });
export const newMoved = defineJob({
  ...common,
  type: 'moved',
  version: 2,
  payload: z.object({ n: z.int(), takes: z.object({ ms: z.int() }) }),
  past: { 1: { payload: movedBefore, lift: ({ n, ms }) => ({ n, takes: { ms } }) } },
});
/** What waits in line, told apart by its account; `pages` is how much it takes of what has a cost. */
const lined = { ...common, payload: z.object({ n: z.int(), ms: z.int(), account: z.int(), pages: z.int() }) };
const provider = { name: 'provider', max: 5 } as const;
/** One at a time for each account, and five of all of them and of `step` together. */
export const lone = defineJob({ ...lined, type: 'lone', limits: [{ by: 'account', max: 1 }, provider] });
/** Five at a time for each account, by how much each takes. */
export const few = defineJob({ ...lined, type: 'few', limits: [{ by: 'account', max: 5, cost: 'pages' }] });
/** A hundred at a time for each account. */
export const hundred = defineJob({ ...lined, type: 'hundred', limits: [{ by: 'account', max: 100 }] });
/** One after the other for each account, and behind that the shared limit. */
export const step = defineJob({ ...lined, type: 'step', order: 'account', limits: [provider] });
/** So many in a second. */
export const metered = defineJob({ ...lined, type: 'metered', rate: { max: 40, per: '1s' } });
export const gated = [lone, few, hundred, step, metered] as const;
/** How many accounts there are, and how many of them half of the runs are of. */
export const [ACCOUNTS, BUSY_ACCOUNTS] = [10_000, 4] as const;
/** A workflow: does steps, one of them in a transaction, and waits for a signal, for its child, and for a time. */
export const trip = defineJob({ ...common, type: 'trip', durable: true, result: z.object({ amount: z.int() }) });
/** Its child, told apart by the run of the trip. */
export const packing = defineJob({
  ...common,
  type: 'packing',
  payload: z.object({ of: z.string(), ms: z.int() }),
  result: z.object({ box: z.string() }),
});
/** For what a trip waits; nobody sends a negative amount in a transaction that commits. */
export const paid = defineSignal({ name: 'paid', by: ['n'], payload: z.object({ n: z.int(), amount: z.int() }) });
/** One of the jobs of a batch: some die, and some add one more. */
export const part = defineJob({ ...common, type: 'part' });
/** Enqueued because of what has happened to the batch `of`. */
export const told = defineJob({ ...common, type: 'told', payload: z.object({ of: z.string(), moment: z.string() }) });
/** Only workers of the new version know it. */
export const audit = defineJob({ ...common, type: 'audit' });

/** The types of the workers of the old version. */
const unchanged = [
  plain,
  flaky,
  patient,
  mail,
  webhook,
  payment,
  report,
  slotted,
  ...gated,
  trip,
  packing,
  part,
  told,
] as const;
export const oldCatalog = defineCatalog([...unchanged, oldMoved]);
/** The types of the workers of the new version. */
export const newCatalog = defineCatalog([...unchanged, newMoved, audit]);
export const [OLD_VERSION, NEW_VERSION] = [1, 2] as const;

/**
 * The schedules: two that fire every few seconds, and one that people pause; all of them make up for every due time
 * they missed.
 */
const rule = { missed: { policy: 'all', limit: 1_000 }, overlap: 'allow' } as const;
export const PAUSED_SCHEDULE = 'paused-by-people';
export const SCHEDULES = [
  { key: 'every-second', every: '1s', ...rule },
  { key: 'every-three', every: '3s', ...rule },
  { key: PAUSED_SCHEDULE, every: '2s', ...rule },
] as const;
