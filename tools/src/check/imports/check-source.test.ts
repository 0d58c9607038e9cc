import { describe, expect, test } from '@jest/globals';
import { checkSource } from './check-source.js';
import { rules } from './rules.js';

const broken = (path: string, source: string): string[] => checkSource(path, source).map(({ rule }) => rule);

const core = 'packages/queue-core/src/settle/settle.ts';
const tool = 'tools/src/break/drill/run-drill.ts';
const api = 'apps/api/src/routes/create-order.ts';

const planted: readonly (readonly [string, string, string])[] = [
  ['apps-are-leaves', 'apps/worker/src/main.ts', `import { app } from '@duework/api';`],
  ['by-name', api, `import { enqueue } from '../../../../packages/queue-core/src/enqueue/enqueue.js';`],
  ['tools-by-export', tool, `const { z } = await import(\n  join(root, 'packages/contracts/dist/index.js'),\n);`],
  ['shop-is-an-example', 'packages/schedules/src/index.ts', `export { catalog } from '@duework/shop';`],
  ['public-package-is-a-list', 'packages/duework/src/index.ts', `export { z } from 'zod';`],
  ['contracts-need-nothing', 'packages/contracts/src/define-job.ts', `import type { z } from 'zod';`],
  ['sql-needs-nothing', 'packages/sql/src/clients/is-unhooked.ts', `import type { Prisma } from '@prisma/client';`],
  ['traces-need-the-api', 'packages/otel/src/get-tracer.ts', `import { Resource } from '@opentelemetry/resources';`],
  ['bullmq-needs-no-database', 'packages/bullmq/src/index.ts', `import { connectPg } from '@duework/database';`],
  ['outbox-is-between', 'packages/bullmq/src/outbox/index.ts', `import { connectPg } from '@duework/database';`],
  ['redis-in-bullmq', 'packages/operate/src/index.ts', `import { Redis } from 'ioredis';`],
  ['client-needs-fetch', 'packages/client/src/create-client.ts', `import { z } from 'zod';`],
  ['console-asks-the-api', 'apps/console/src/api/call-api.ts', `import { searchJobs } from '@duework/operate';`],
  ['command-needs-no-orm', 'packages/cli/src/main.ts', `import { PrismaClient } from '@prisma/client';`],
  ['database-knows-no-queue', 'packages/database/src/index.ts', `export * from '@duework/queue-core';`],
  [
    'migrations-need-no-prisma',
    'packages/database/src/migrate/read-ledger.ts',
    `import type { Prisma } from '../generated/client.js';`,
  ],
  ['ports-know-no-store', 'packages/queue-core/src/ports/runs.ts', `import type { Queryable } from '@duework/sql';`],
  [
    'memory-speaks-ports',
    'packages/testing/src/memory/tables/heap.ts',
    `import { sql } from '@duework/queue-core/internals';`,
  ],
  ['core-gets-its-database', core, `import type { PrismaClient } from '@duework/database';`],
  ['worker-needs-pg-only', 'packages/worker/src/run-worker.ts', `import { z } from 'zod';`],
  ['shards-know-databases-only', 'packages/shards/src/open-shards.ts', `import { z } from 'zod';`],
  ['core-knows-no-shards', core, `import { openShards } from '@duework/shards';`],
  ['worker-is-for-programs', 'packages/testing/src/index.ts', `export { runWorker } from '@duework/worker';`],
  ['core-has-no-http-and-no-logs', core, `const { pino } = await import('pino');`],
  ['environment-in-env', api, `const port = process.env['API_PORT'];`],
  ['sql-in-sql', core, 'await db.$executeRaw`DELETE FROM duework.job_runs`;'],
  ['no-unsafe-sql', api, 'await db.$queryRawUnsafe(`SELECT ${name}`);'],
  ['no-raw-fragments', core, 'const column = Prisma.raw(name);'],
  ['clock-in-clock', core, 'const now = new Date();'],
  ['signals-in-main', 'apps/worker/src/stop.ts', `process.once('SIGTERM', stop);`],
  ['no-console', api, `console.log('created');`],
];

describe('a planted violation is caught', () => {
  test.each(planted)('%s', (rule, path, source) => {
    expect(broken(path, source)).toEqual([rule]);
  });

  test('of every rule', () => {
    expect(planted.map(([rule]) => rule).sort()).toEqual(Object.keys(rules).sort());
  });

  test('with the line it is in', () => {
    expect(checkSource(core, '// why\n\nimport {\n  pino,\n} from "pino";\n')).toMatchObject([
      { line: 3, found: 'pino' },
    ]);
  });
});

describe('what the rules allow is left alone', () => {
  test.each([
    [
      'a package by its name',
      api,
      `import { enqueue } from '@duework/queue-core';\nimport { connectPrisma } from '@duework/database';`,
    ],
    [
      'the database in a test of the core',
      'packages/queue-core/src/enqueue/enqueue.test.ts',
      `import { connectPrisma } from '@duework/database';`,
    ],
    ['the environment in env.ts', 'apps/api/src/env.ts', `export const port = process.env['API_PORT'];`],
    ['the environment in a test', 'apps/api/src/env.test.ts', `process.env['API_PORT'] = '1';`],
    ['a program of an app, started as a process', tool, `startService({ main: 'apps/worker/dist/main.js' });`],
    [
      'a port and a job in a port',
      'packages/queue-core/src/ports/operator.ts',
      `import type { Job } from '../queue/job.js';\nimport type { NewRun } from './producer.js';\nimport type { Catalog } from '@duework/contracts';`,
    ],
    ['SQL below sql/', 'packages/queue-core/src/sql/claim/claim-runs.ts', 'return db.$queryRaw(Prisma.sql`SELECT 1`);'],
    ['the clock in clock.ts', 'packages/queue-core/src/clock.ts', 'export const now = () => performance.now();'],
    ['a moment that was given', core, 'const at = new Date(row.at);'],
    [
      'signals in the worker that a program runs',
      'packages/worker/src/handle-signals.ts',
      `process.on('SIGTERM', stop);`,
    ],
    ['signals in main.ts', 'apps/worker/src/main.ts', `process.on('SIGTERM', drain);`],
    [
      'a comment that names what is forbidden',
      core,
      `/* Date.now() */ // import 'pino'\nconst url = 'http://host'; // console.log`,
    ],
  ])('%s', (_, path, source) => {
    expect(broken(path, source)).toEqual([]);
  });
});
