/** Where the guards and their tests are. */
export const core = (file) => `packages/queue-core/src/${file}`;
export const migration = (name) => `prisma/migrations/${name}/migration.sql`;

/** A case of the list that every store passes, on PostgreSQL. */
export const storeCase = (from, title, of) => ({
  file: core('store/postgres-store.test.ts'),
  from: core(`store/conformance/${from}.ts`),
  title,
  ...(of === undefined ? {} : { of }),
});
