import type { Project } from '../project.js';
import { prismaModule } from './prisma-module.js';

/** jobs/index: the module that the command loads. */
export const indexFile = ({ importSuffix }: Project): string => `export { catalog } from './contracts${importSuffix}';
export { handlers } from './handlers${importSuffix}';
`;

const OUTSIDE = `// Runs the jobs of the database DATABASE_URL until it is told to stop. It is deployed beside the application.`;

/** worker: the program that is deployed beside the application. */
export function workerFile(project: Project): string {
  const { importSuffix, isModule, installed } = project;
  const jobs = `import { catalog, handlers } from './jobs/index${importSuffix}';`;
  const hasPino = installed.has('pino');
  const pino = hasPino ? `\nimport { pino } from 'pino';` : '';
  const log = hasPino ? `, log: pino({ level: process.env['LOG_LEVEL'] ?? 'info' })` : '';
  if (!isOnPrisma(project))
    return `import { runWorker } from 'duework/worker';${pino}
${jobs}

${OUTSIDE}
${isModule ? 'await' : 'void'} runWorker({ catalog, handlers${log} });
`;
  return `import { PrismaPg } from '@prisma/adapter-pg';
import { prismaPool, runWorker } from 'duework/worker';${pino}
import { PrismaClient } from '${prismaModule(project, '')}';
${jobs}

// The worker's own client: it claims and settles jobs on connections that no handler can take from it.
const prisma = new PrismaClient({ adapter: new PrismaPg(...prismaPool(process.env['DATABASE_URL'])) });

${OUTSIDE}
${
  isModule
    ? `await runWorker({ catalog, handlers, prisma${log} });
await prisma.$disconnect();`
    : `void runWorker({ catalog, handlers, prisma${log} }).finally(() => prisma.$disconnect());`
}
`;
}

/** Prisma 7 connects through an adapter; other adapters than that for `pg` have pools of other kinds. */
function isOnPrisma({ client, prisma, installed }: Project): boolean {
  return client === 'prisma' && prisma?.isBefore7 === false && installed.has('@prisma/adapter-pg');
}
