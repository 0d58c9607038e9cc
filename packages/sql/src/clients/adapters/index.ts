/**
 * `@duework/sql/adapters`: what makes the clients and transactions of other libraries ones that `enqueue` takes.
 * Prisma's, and clients and pools of `pg`, need none.
 */
export type { AdaptedClient } from './adapted-client.js';
export { type Drizzle, type DrizzleSql, fromDrizzle } from './from-drizzle.js';
export { fromKnex, type Knex } from './from-knex.js';
export { fromKysely, type Kysely } from './from-kysely.js';
export { fromPg } from './from-pg.js';
export { fromPostgresJs, type PostgresJs } from './from-postgres-js.js';
export { fromPrisma, type Prisma } from './from-prisma.js';
export { fromTypeorm, type Typeorm } from './from-typeorm.js';
