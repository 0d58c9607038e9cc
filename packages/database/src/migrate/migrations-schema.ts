/** The schema that holds Prisma's `_prisma_migrations`, and everything of Duework. */
export const migrationsSchema = 'duework';
