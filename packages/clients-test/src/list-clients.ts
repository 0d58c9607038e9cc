import postgres from 'postgres';
import { openDrizzle, openDrizzleOnPostgresJs } from './open/open-drizzle.js';
import { openKnex } from './open/open-knex.js';
import { openKysely } from './open/open-kysely.js';
import { openPg } from './open/open-pg.js';
import { openPostgresJs } from './open/open-postgres-js.js';
import { openPrisma } from './open/open-prisma.js';
import { openTypeorm } from './open/open-typeorm.js';
import type { OpenClient } from './opened-client.js';

/** Every client that `enqueue` takes, by its name. */
export const CLIENTS: readonly [string, OpenClient][] = [
  ['Prisma 6.19', openPrisma('6.19')],
  ['Prisma 7.0', openPrisma('7.0')],
  ['Prisma 7.3', openPrisma('7.3')],
  ['Prisma 7.10', openPrisma('7.10')],
  ['pg, adapted', openPg()],
  ['pg, as it is', openPg((client) => client)],
  ['postgres.js', openPostgresJs()],
  ['postgres.js that renames columns', openPostgresJs({ transform: postgres.toPascal })],
  ['Drizzle on pg', openDrizzle],
  ['Drizzle on postgres.js', openDrizzleOnPostgresJs],
  ['Kysely', openKysely],
  ['Knex', openKnex],
  ['TypeORM', openTypeorm],
];
