/** What the tortured product does: jobs whose effects can be counted afterwards, each in its own way. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../scripts/lib/paths.mjs';

const { defineCatalog, defineJob, exponential } = await import(join(root, 'packages/contracts/dist/index.js'));
const { z } = createRequire(join(root, 'packages/contracts/package.json'))('zod');

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
};

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

const old = [plain, flaky, patient, mail, webhook, payment, report, slotted];

/** Which jobs the workers of a version know. */
export const catalogOf = (version) => defineCatalog(version === 1 ? old : [...old, audit]);
export const everything = catalogOf(2);

/** The rules: one that fires every second, one that people pause, one that catches up on everything it missed. */
export const SCHEDULES = [
  { key: 'every-second', every: '1s', missed: { policy: 'all', limit: 1_000 }, overlap: 'allow' },
  { key: 'every-three', every: '3s', missed: { policy: 'all', limit: 1_000 }, overlap: 'allow' },
  { key: 'paused-by-people', every: '2s', missed: { policy: 'all', limit: 1_000 }, overlap: 'allow' },
];
