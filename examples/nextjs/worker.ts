import { PrismaPg } from '@prisma/adapter-pg';
import { prismaPool, runWorker } from 'duework/worker';
import { PrismaClient } from './generated/prisma/client';
import { catalog, handlers } from './jobs';
import { prisma as handlersPrisma } from './lib/prisma';

// the worker's own client: it claims and settles jobs on connections that no handler can take from it
const prisma = new PrismaClient({ adapter: new PrismaPg(...prismaPool(process.env['DATABASE_URL'])) });

// runs jobs until it is told to stop; deployed beside the server, and never a part of it
void runWorker({ catalog, handlers, prisma }).finally(() =>
  Promise.all([prisma.$disconnect(), handlersPrisma.$disconnect()]),
);
