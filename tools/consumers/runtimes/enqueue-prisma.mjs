// the same in transactions of Prisma
import { PrismaPg } from '@prisma/adapter-pg';
import { enqueue } from 'duework';
import { prismaPool } from 'duework/worker';
import { PrismaClient } from './generated/client.js';
import { sendReceipt } from './jobs.mjs';

const prisma = new PrismaClient({ adapter: new PrismaPg(...prismaPool(process.env.DATABASE_URL)) });
const isRolledBack = await prisma
  .$transaction(async (tx) => {
    await enqueue(tx, sendReceipt, { orderId: 3 });
    throw new Error('rolled back');
  })
  .catch((error) => error.message === 'rolled back');
if (!isRolledBack) throw new Error('The transaction was not rolled back.');
await prisma.$transaction(async (tx) => enqueue(tx, sendReceipt, { orderId: 4 }));
await prisma.$disconnect();
