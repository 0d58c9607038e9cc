import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.js';

export type { PrismaClient };

/** A client of the database; in UTC, because Prisma reads times wrong in any other zone. */
export const connect = (url: string): PrismaClient =>
  new PrismaClient({ adapter: new PrismaPg({ connectionString: url, options: '-c TimeZone=UTC' }) });
