import type { NamedTest } from '../guard.js';

/** Where the guards and their tests are. */
export const core = (file: string): string => `packages/queue-core/src/${file}`;
export const migration = (name: string): string => `prisma/migrations/${name}/migration.sql`;

/** A case of the list that every store passes, on PostgreSQL; `of` is the one of a test.each that is meant. */
export const storeCase = (from: string, title: string, of?: string): NamedTest => ({
  file: core('store/postgres-store.test.ts'),
  from: core(`store/conformance/${from}.ts`),
  title,
  ...(of === undefined ? {} : { of }),
});
