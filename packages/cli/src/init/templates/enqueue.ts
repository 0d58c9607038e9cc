import type { Client, Framework, Project } from '../project.js';
import { prismaModule } from './prisma-module.js';

/** What a template of an enqueue is made of; the lines of `body` are the function's. */
interface EnqueueTemplate {
  /** Imports of values. */
  readonly imports: readonly string[];
  /** Imports that only TypeScript needs. */
  readonly types: readonly string[];
  /** The type parameter with its brackets, where the client has one. */
  readonly generic: string;
  /** Name and type of the parameter. */
  readonly db: readonly [string, string];
  readonly body: (enqueue: (tx: string) => string) => string;
}

const OWN_WRITE = '// your own write comes here';

const CALLERS: Readonly<Record<Framework, string>> = {
  next: 'a server action or a route handler',
  nest: 'a service',
  fastify: 'a route',
  express: 'a route',
  hono: 'a route',
};

/** jobs/greet: an enqueue that commits with the caller's own write, in the transaction of the client that they have. */
export function enqueueFile(project: Project): string {
  const { extension, importSuffix, framework } = project;
  const isTyped = extension === 'ts';
  const { imports, types, generic, db, body } = templateOf(project);
  const lines = [
    ...imports,
    ...(isTyped ? types : []),
    `import { enqueue } from 'duework';`,
    `import { sayHello } from './contracts${importSuffix}';`,
  ].sort(byModule);
  const parameters = isTyped ? `${db[0]}: ${db[1]}, name: string` : `${db[0]}, name`;
  const caller = framework === undefined ? 'Call it' : `Call it from ${CALLERS[framework]},`;
  return `${lines.join('\n')}

/**
 * Your own write and the job commit together, or neither does.
 * ${caller} with your ${CLIENT_WORDS[project.client]}.
 */
export async function greet${isTyped ? generic : ''}(${parameters}) {
${body((tx) => `enqueue(${tx}, sayHello, { name })`)}
}
`;
}

const CLIENT_WORDS: Readonly<Record<Client, string>> = {
  prisma: 'Prisma client',
  drizzle: 'Drizzle database',
  typeorm: 'data source of TypeORM',
  kysely: 'Kysely instance',
  knex: 'Knex instance',
  postgres: 'client of postgres.js',
  pg: 'pool of pg',
};

const byModule = (a: string, b: string): number => rank(a).localeCompare(rank(b));
const rank = (line: string): string => {
  const name = /'([^']+)';$/.exec(line)?.[1] ?? '';
  return `${name.startsWith('.') ? 1 : 0}${name.replace(/^\W+/, '')}`;
};

/** `begin` opens a transaction and hands it to a function. */
const inCallback =
  (begin: string, tx: string, adapted: string) =>
  (enqueue: (tx: string) => string): string =>
    `  return ${begin}(async (${tx}) => {
    ${OWN_WRITE}
    return ${enqueue(adapted)};
  });`;

function templateOf(project: Project): EnqueueTemplate {
  const adapter = (name: string): string => `import { ${name} } from 'duework/adapters';`;
  switch (project.client) {
    case 'prisma':
      return {
        imports: [],
        types: [`import type { PrismaClient } from '${prismaModule(project, 'jobs')}';`],
        generic: '',
        db: ['prisma', 'PrismaClient'],
        body: inCallback('prisma.$transaction', 'tx', 'tx'),
      };
    case 'drizzle': {
      const type = DRIZZLE_TYPES[project.drizzleDriver];
      return {
        imports: [`import { sql } from 'drizzle-orm';`, adapter('fromDrizzle')],
        types: [`import type { ${type} } from 'drizzle-orm/${project.drizzleDriver}';`],
        generic: '<TSchema extends Record<string, unknown>>',
        db: ['db', `${type}<TSchema>`],
        body: inCallback('db.transaction', 'tx', 'fromDrizzle(tx, sql)'),
      };
    }
    case 'typeorm':
      return {
        imports: [adapter('fromTypeorm')],
        types: [`import type { DataSource } from 'typeorm';`],
        generic: '',
        db: ['dataSource', 'DataSource'],
        body: inCallback('dataSource.transaction', 'manager', 'fromTypeorm(manager)'),
      };
    case 'kysely':
      return {
        imports: [adapter('fromKysely')],
        types: [`import type { Kysely } from 'kysely';`],
        generic: '<TDatabase>',
        db: ['db', 'Kysely<TDatabase>'],
        body: inCallback('db.transaction().execute', 'tx', 'fromKysely(tx)'),
      };
    case 'knex':
      return {
        imports: [adapter('fromKnex')],
        types: [`import type { Knex } from 'knex';`],
        generic: '',
        db: ['knex', 'Knex'],
        body: inCallback('knex.transaction', 'tx', 'fromKnex(tx)'),
      };
    case 'postgres':
      return {
        imports: [adapter('fromPostgresJs')],
        types: [`import type { Sql } from 'postgres';`],
        generic: '',
        db: ['sql', 'Sql'],
        body: inCallback('sql.begin', 'tx', 'fromPostgresJs(tx)'),
      };
    case 'pg':
      return {
        imports: [adapter('fromPg')],
        types: [`import type { Pool } from 'pg';`],
        generic: '',
        db: ['pool', 'Pool'],
        body: (enqueue) => `  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    ${OWN_WRITE}
    const job = await ${enqueue('fromPg(client)')};
    await client.query('COMMIT');
    return job;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }`,
      };
  }
}

const DRIZZLE_TYPES = {
  'node-postgres': 'NodePgDatabase',
  'postgres-js': 'PostgresJsDatabase',
  'neon-serverless': 'NeonDatabase',
} as const;
