import type { GuardEdit, NamedTest } from '../guard.js';

/** Where the guards and their tests are. */
export const core = (file: string): string => `packages/queue-core/src/${file}`;
export const operate = (file: string): string => `packages/operate/src/${file}`;
export const schedules = (file: string): string => `packages/schedules/src/${file}`;
export const database = (file: string): string => `packages/database/src/${file}`;
export const migration = (name: string): string => `prisma/migrations/${name}/migration.sql`;

/** A text of a file, found exactly once however its lines are broken, becomes `replace`, of which '' is nothing. */
export const cut = (file: string, find: string, replace: GuardEdit['replace'] = ''): GuardEdit => ({
  file,
  find,
  replace,
});

/** What comes back from the history begins with a fence of 0. */
export const returnedUnfenced = cut(
  core('sql/operate/return-to-queue.ts'),
  'SELECT ${kept}, gates[1], ${decided.status}',
  'SELECT ${sql`id, queue, job_type, job_version, payload, idempotency_key, max_attempts, 0, claimed_at, failed_at, error_code, error_type, last_error, created_at, meta, gates, gate_units`}, gates[1], ${decided.status}',
);

/**
 * A case of the list that every store passes. On PostgreSQL it runs twice, through Prisma and through pg, and goes red both
 * times. `of` is the one of a test.each that is meant.
 */
export const storeCase = (from: string, title: string, of?: string): NamedTest => ({
  file: core('store/postgres-store.test.ts'),
  from: `packages/testing/src/conformance/${from}.ts`,
  title,
  ...(of === undefined ? {} : { of }),
});
