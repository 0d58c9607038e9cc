import { PrismaPg } from '@prisma/adapter-pg';
import { prismaPool } from 'duework/worker';
import { PrismaClient } from './generated/client.js';

/** The worker's own client: it claims and settles jobs on connections that no handler can take from it. */
export const connectWorker = (url: string | undefined): PrismaClient =>
  new PrismaClient({ adapter: new PrismaPg(...prismaPool(url)) });
