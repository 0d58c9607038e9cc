/** `duework/adapters`: makes the clients and transactions of other libraries ones that `enqueue` takes. */
export {
  fromDrizzle,
  fromKnex,
  fromKysely,
  fromPg,
  fromPostgresJs,
  fromPrisma,
  fromTypeorm,
  type AdaptedClient,
  type Drizzle,
  type DrizzleSql,
  type Knex,
  type Kysely,
  type PostgresJs,
  type Prisma,
  type Typeorm,
} from '@duework/sql/adapters';
