/** A worker of the check, through pg or Prisma: CLIENT. Its other settings are those of every worker. */
import { connectPrisma } from '@duework/database';
import { runWorker } from '@duework/worker';
import { catalog, handlers, schedules } from './jobs.js';

const [, , url = '', client] = process.argv;
const prisma = client === 'prisma' ? connectPrisma({ url, poolSize: 4, role: 'engine' }) : undefined;
await runWorker({
  catalog,
  handlers,
  schedules,
  databaseUrl: url,
  workerPort: 'none',
  pollIntervalMs: 200,
  argv: [],
  ...(prisma === undefined ? {} : { prisma }),
});
await prisma?.$disconnect();
