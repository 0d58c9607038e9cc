import type { MigrationTool } from './print-files.js';

/** Where each tool keeps its migrations unless it is told otherwise. */
export const migrationFolders: Readonly<Record<MigrationTool, string>> = {
  prisma: 'prisma/migrations',
  drizzle: 'drizzle',
  knex: 'migrations',
};
