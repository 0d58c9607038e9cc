import type { Capabilities } from '@duework/queue-core/ports';
import type { OverQueue, Plan, Refused } from './plan.js';

/** A route that needs a database, and why, in a sentence. */
export const needsDatabase = (why: string): Refused => ({ refused: why });

/** A route that needs a capability of the store, which is refused with `why` where that lacks it. */
export const needs = (can: keyof Capabilities, why: string, plan: Plan | 'same'): OverQueue => ({
  refused: why,
  unless: { can, plan },
});

export const needsBatches = (plan: Plan | 'same'): OverQueue => needs('batches', 'This queue has no batches.', plan);

export const NO_SCHEDULES = needsDatabase('Schedules are kept in PostgreSQL, and this queue has none.');
export const NO_FLOW = needsDatabase(
  'Limits, rates, orders, tenants and breakers are kept in PostgreSQL, and this queue has none.',
);
export const NO_ALERTS = needsDatabase(
  'The workers of this queue tell its alerts: they are neither listed nor silenced here. Quiet hours are set with quiet= at the address that is told.',
);
export const NO_BULK_ACTIONS = needsDatabase(
  'Bulk actions are steps over the jobs of a PostgreSQL, and this queue acts on one job at a time.',
);
export const NO_KEYS = needsDatabase(
  'API keys are kept in PostgreSQL; who may call here, the program that serves this says.',
);
export const NO_WORKERS = needsDatabase(
  'Workers register in PostgreSQL, and this queue does not know who works for it.',
);
