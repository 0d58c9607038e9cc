/**
 * The rules of the house as a table. A rule looks at the files it is `on`, and forbids either `imports` (a module's name)
 * or a `pattern` in the code.
 */
export interface SourceFile {
  readonly path: string;
  /** `packages/queue-core`, `apps/api`, `tools`. */
  readonly owner: string;
  /** A *.test.ts. */
  readonly isTest: boolean;
  /** Anything for tests below a folder testing/. */
  readonly isTesting: boolean;
  readonly base: string;
}

export type Rule = { readonly words: string; readonly on: (file: SourceFile) => boolean } & (
  | { readonly imports: (name: string) => boolean }
  | { readonly pattern: RegExp }
);

const isIn = (owner: string) => (file: SourceFile) => file.owner === owner;
/** What runs where Duework runs; the tools are what it is made with. */
const isProduct = (file: SourceFile): boolean => file.owner !== 'tools' && !file.isTest && !file.isTesting;
/** Text that `duework init` writes into a project, where it is the project's own. */
const isTemplate = (file: SourceFile): boolean => file.path.startsWith('packages/cli/src/init/templates/');
const apps = /^@duework\/(api|shop-worker|mailbox|console)(\/|$)/;
const isRelative = (name: string): boolean => name.startsWith('.');
const isOutbox = (file: SourceFile): boolean => file.path.startsWith('packages/bullmq/src/outbox/');
const isNotForBullmq = (name: string): boolean =>
  !isRelative(name) &&
  !name.startsWith('node:') &&
  name !== 'bullmq' &&
  name !== 'ioredis' &&
  !/^@duework\/(contracts|sql|queue-core)(\/|$)/.test(name);

export const rules: Readonly<Record<string, Rule>> = {
  'apps-are-leaves': {
    words: 'nothing imports an app; what two apps share belongs in a package',
    on: () => true,
    imports: (name) => apps.test(name),
  },
  'by-name': {
    words: 'another package is imported by its name, not by a path into its files',
    on: () => true,
    imports: (name) => isRelative(name) && /(^|\/)(packages|apps|dist)\//.test(name),
  },
  'tools-by-export': {
    words: 'the tools use what packages export: no path into dist, and no file of theirs',
    on: isIn('tools'),
    // ajv has its newer drafts there; also a path that is put together: import(join(root, 'packages/database/dist/index.js'))
    pattern:
      /\bfrom\s*['"](?!ajv\/)(?:[^'"]*\/)?(?:packages|apps|dist)\/[^'"]*['"]|\b(?:import|require|require\.resolve|createRequire)\s*\([^;]{0,200}?['"`](?:[^'"`]*\/)?(?:packages|apps|dist)\/[^'"`]*['"`]/g,
  },
  'shop-is-an-example': {
    words: 'what a team installs knows no shop: apps and tools alone import packages/shop',
    on: (file) => file.owner.startsWith('packages/') && file.owner !== 'packages/shop' && isProduct(file),
    imports: (name) => /^@duework\/shop(\/|$)/.test(name),
  },
  'contracts-need-nothing': {
    words: 'packages/contracts imports nothing but its own files: any validator is taken, and none is needed',
    on: (file) => isIn('packages/contracts')(file) && !file.isTest && !file.base.endsWith('.types-test.ts'),
    imports: (name) => !isRelative(name),
  },
  'sql-needs-nothing': {
    words: 'packages/sql imports nothing but its own files: everything else may speak to a database through it',
    on: (file) => isIn('packages/sql')(file) && isProduct(file),
    imports: (name) => !isRelative(name) && name !== 'node:util',
  },
  'client-needs-fetch': {
    words: 'packages/client imports contracts and nothing else: it runs wherever there is fetch',
    on: (file) => isIn('packages/client')(file) && isProduct(file),
    imports: (name) => !isRelative(name) && name !== '@duework/contracts',
  },
  'console-asks-the-api': {
    words: 'apps/console knows of the queue what the API answers; it imports filter, and libraries of the browser',
    on: (file) => isIn('apps/console')(file) && isProduct(file),
    imports: (name) => name.startsWith('node:') || /^@duework\/(?!filter$)/.test(name),
  },
  'traces-need-the-api': {
    words: "packages/otel imports contracts, queue-core and OpenTelemetry's API: the SDK is the program's",
    on: (file) => isIn('packages/otel')(file) && isProduct(file),
    imports: (name) =>
      !isRelative(name) && name !== '@opentelemetry/api' && !/^@duework\/(contracts|queue-core)$/.test(name),
  },
  'bullmq-needs-no-database': {
    words: 'packages/bullmq imports contracts, sql (errors), queue-core, BullMQ and ioredis, and from Node',
    on: (file) => isIn('packages/bullmq')(file) && isProduct(file) && !isOutbox(file),
    imports: (name) => isNotForBullmq(name),
  },
  'outbox-is-between': {
    words: 'packages/bullmq/src/outbox, between a database and Redis, imports shards, too',
    on: (file) => isOutbox(file) && isProduct(file),
    imports: (name) => name !== '@duework/shards' && isNotForBullmq(name),
  },
  'redis-in-bullmq': {
    words: 'Redis is known to packages/bullmq; who does not use it needs neither BullMQ nor ioredis',
    on: (file) => file.owner.startsWith('packages/') && file.owner !== 'packages/bullmq' && isProduct(file),
    imports: (name) => /^(bullmq|ioredis)(\/|$)/.test(name),
  },
  'public-package-is-a-list': {
    words: 'packages/duework is made of names of the other packages, and adds nothing of its own',
    on: isIn('packages/duework'),
    imports: (name) => !/^@duework\/(?!shop|embedded|tools)/.test(name),
  },
  'database-knows-no-queue': {
    words: 'packages/database imports no other package of the workspace but sql',
    on: isIn('packages/database'),
    imports: (name) => /^@duework\/(?!sql)/.test(name),
  },
  'migrations-need-no-prisma': {
    words: 'packages/database knows Prisma where it connects with it; migrating and checking need pg alone',
    on: (file) =>
      isIn('packages/database')(file) &&
      isProduct(file) &&
      !/^packages\/database\/src\/(coexistence\/.*|connect-prisma\.ts|cancel-on-abort\.ts|index\.ts)$/.test(file.path),
    imports: (name) => /^@?prisma(\/|$)|generated\/client/.test(name) || name.endsWith('connect-prisma.js'),
  },
  'command-needs-no-orm': {
    words: 'packages/cli sends statements through pg, and loads the embedded PostgreSQL from the project that has it',
    on: (file) => isIn('packages/cli')(file) && isProduct(file) && !isTemplate(file),
    imports: (name) => /^(@prisma\/|@duework\/(embedded|isolation|testing)(\/|$))/.test(name),
  },
  'ports-know-no-store': {
    words: 'a port imports ports, contracts and job.ts; SQL and the rooms of a run import ports',
    on: (file) => file.path.startsWith('packages/queue-core/src/ports/') && !file.isTest,
    imports: (name) => !name.startsWith('./') && name !== '../queue/job.js' && name !== '@duework/contracts',
  },
  'memory-speaks-ports': {
    words: 'the store in memory is written against ports, as any other engine would be: nothing internal of queue-core',
    on: (file) => file.path.startsWith('packages/testing/src/memory/') && !file.isTest,
    imports: (name) => name === '@duework/queue-core/internals',
  },
  'core-gets-its-database': {
    words: 'packages/queue-core imports packages/database in tests only; it is given its clients',
    on: (file) => isIn('packages/queue-core')(file) && isProduct(file),
    imports: (name) => /^@duework\/database(\/|$)/.test(name),
  },
  'worker-needs-pg-only': {
    words:
      'packages/worker imports contracts, sql, queue-core, schedules, shards, operate and database, and from Node; prom-client and nodemailer where they are installed, and packages/bullmq where it is asked for',
    on: (file) => isIn('packages/worker')(file) && isProduct(file),
    imports: (name) =>
      !isRelative(name) &&
      !name.startsWith('node:') &&
      name !== 'prom-client' &&
      name !== 'nodemailer' &&
      !/^@duework\/(contracts|sql|queue-core|schedules|shards|operate|database|bullmq)(\/|$)/.test(name),
  },
  'shards-know-databases-only': {
    words:
      'packages/shards imports contracts, sql, queue-core and database: a worker, an API and a command are over it',
    on: (file) => isIn('packages/shards')(file) && isProduct(file),
    imports: (name) =>
      !isRelative(name) &&
      !name.startsWith('node:') &&
      !/^@duework\/(contracts|sql|queue-core|database)(\/|$)/.test(name),
  },
  'core-knows-no-shards': {
    words: 'packages/queue-core knows the name of its shard, and no other one',
    on: isIn('packages/queue-core'),
    imports: (name) => /^@duework\/shards(\/|$)/.test(name),
  },
  'worker-is-for-programs': {
    words: 'programs and the public package run a worker; no other package imports packages/worker',
    on: (file) => file.owner.startsWith('packages/') && !/^packages\/(worker|cli|duework)$/.test(file.owner),
    imports: (name) => /^@duework\/worker(\/|$)/.test(name),
  },
  'core-has-no-http-and-no-logs': {
    words: 'packages/queue-core knows no HTTP, no logger and no metrics; it emits events',
    on: isIn('packages/queue-core'),
    imports: (name) => /^(pino|hono|prom-client|@hono\/.*|(node:)?https?2?)$/.test(name),
  },
  'environment-in-env': {
    words: 'process.env is read in env.ts only',
    on: (file) => isProduct(file) && file.base !== 'env.ts' && !isTemplate(file),
    pattern: /\bprocess\s*\.\s*env\b|\bprocess\s*\[\s*['"]env|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/g,
  },
  'sql-in-sql': {
    words: 'packages/queue-core writes SQL below src/sql only',
    on: (file) => isIn('packages/queue-core')(file) && isProduct(file) && !file.path.includes('/src/sql/'),
    pattern: /\bsql\s*`|\$(queryRaw|executeRaw)\b\s*[`(<]/g,
  },
  'no-unsafe-sql': {
    words: 'in packages and apps values never become part of the text: $queryRawUnsafe and $executeRawUnsafe stay out',
    on: (file) => file.owner !== 'tools',
    pattern: /\$(query|execute)RawUnsafe\b/g,
  },
  'no-raw-fragments': {
    words: 'Prisma.raw is for tests (EXPLAIN); everywhere else it is as unsafe',
    on: isProduct,
    pattern: /\bPrisma\s*\.\s*raw\b/g,
  },
  'clock-in-clock': {
    words: "packages/queue-core reads the process's clock in clock.ts only; moments come from the database",
    on: (file) => isIn('packages/queue-core')(file) && isProduct(file) && file.base !== 'clock.ts',
    pattern: /\bDate\s*\.\s*now\b|\bnew\s+Date\s*\(\s*\)|\bperformance\s*\.\s*now\b|\bhrtime\b/g,
  },
  'signals-in-main': {
    words: 'signal handlers are installed in main.ts, and in handle-signals.ts of packages/worker',
    on: (file) =>
      isProduct(file) && !/(^|-)main\.ts$/.test(file.base) && file.path !== 'packages/worker/src/handle-signals.ts',
    pattern: /\bprocess\s*\.\s*(on|once|addListener|prependListener)\s*\(\s*['"]SIG/g,
  },
  'no-console': {
    words: 'console is for nobody: services write log lines, programs write to process.stdout',
    on: (file) => !file.isTest,
    // a file may have the name: use-console.js
    pattern: /(?<!-)\bconsole\s*\.\s*\w+/g,
  },
};
