import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../generated/prisma/client';

const kept = globalThis as { prisma?: PrismaClient };

// `next dev` loads this module again after a change: one client for all of them
export const prisma = (kept.prisma ??= new PrismaClient({
  adapter: new PrismaPg({ connectionString: process.env['DATABASE_URL'] }),
}));
