import { connectWorker } from '@scope/db/worker';
import { runWorker } from 'duework/worker';
import { catalog, handlers } from './jobs.js';

const prisma = connectWorker(process.env['DATABASE_URL']);
await runWorker({ catalog, handlers, prisma });
await prisma.$disconnect();
