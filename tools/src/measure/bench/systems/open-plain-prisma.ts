import { PrismaClient } from '@duework/database';
import { PrismaPg } from '@prisma/adapter-pg';

/** A Prisma client as users make it: nothing is set but the address, so it has ten connections. */
export const openPlainPrisma = (url: string): PrismaClient =>
  new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) });
