import { migrations } from '../generated/migrations.js';

/**
 * Duework's tables by name, `duework.job_runs`: for `tables.external` in prisma.config.ts of a team that lists `duework`
 * among its schemas. Daily partitions are not among them; Prisma does not look at those.
 */
export const externalTables: readonly string[] = migrations.flatMap(({ sql }) =>
  [...sql.matchAll(/^CREATE (?:UNLOGGED )?TABLE (duework\.\w+)/gm)].map(([, name]) => name ?? ''),
);
