/**
 * The rules of the house as a table. A rule looks at the files it is `on`, and forbids either `imports` (a module's name)
 * or a `pattern` in the code.
 *
 * @typedef {{ path: string, owner: string, isTest: boolean, isTesting: boolean, base: string }} SourceFile
 *   `owner` is `packages/queue-core`; `isTest` a *.test.ts; `isTesting` anything for tests below a folder testing/
 * @typedef {{ words: string, on: (file: SourceFile) => boolean, imports?: (name: string) => boolean, pattern?: RegExp }} Rule
 */
const isIn = (owner) => (file) => file.owner === owner;
const isProduct = (file) => !file.isTest && !file.isTesting;
const apps = /^@duework\/(api|worker|mailbox|console|bench)(\/|$)/;
const isRelative = (name) => name.startsWith('.');

/** @type {Record<string, Rule>} */
export const rules = {
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
  'contracts-need-zod-only': {
    words: 'packages/contracts imports zod, and from Node a hash, and nothing else',
    on: (file) => isIn('packages/contracts')(file) && !file.isTest,
    imports: (name) => !isRelative(name) && name !== 'zod' && name !== 'node:crypto',
  },
  'database-knows-no-queue': {
    words: 'packages/database imports no other package of the workspace',
    on: isIn('packages/database'),
    imports: (name) => name.startsWith('@duework/'),
  },
  'ports-know-no-store': {
    words: 'a port imports ports, contracts and job.ts; SQL and the engine import ports',
    on: (file) => file.path.startsWith('packages/queue-core/src/ports/') && !file.isTest,
    imports: (name) => !name.startsWith('./') && name !== '../job.js' && name !== '@duework/contracts',
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
  'core-has-no-http-and-no-logs': {
    words: 'packages/queue-core knows no HTTP, no logger and no metrics; it emits events',
    on: isIn('packages/queue-core'),
    imports: (name) => /^(pino|hono|prom-client|@hono\/.*|(node:)?https?2?)$/.test(name),
  },
  'environment-in-env': {
    words: 'process.env is read in env.ts only',
    on: (file) => isProduct(file) && file.base !== 'env.ts',
    pattern: /\bprocess\s*\.\s*env\b|\bprocess\s*\[\s*['"]env|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/g,
  },
  'sql-in-sql': {
    words: 'packages/queue-core writes SQL below src/sql only',
    on: (file) => isIn('packages/queue-core')(file) && isProduct(file) && !file.path.includes('/src/sql/'),
    pattern: /\bsql\s*`|\$(queryRaw|executeRaw)\b\s*[`(<]/g,
  },
  'no-unsafe-sql': {
    words: 'values never become part of the text: $queryRawUnsafe and $executeRawUnsafe stay out',
    on: () => true,
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
    words: 'signal handlers are installed in main.ts only',
    on: (file) => isProduct(file) && !/(^|-)main\.ts$/.test(file.base),
    pattern: /\bprocess\s*\.\s*(on|once|addListener|prependListener)\s*\(\s*['"]SIG/g,
  },
  'no-console': {
    words: 'console is for nobody: apps log through pino, programs write to process.stdout',
    on: (file) => !file.isTest,
    pattern: /\bconsole\s*\.\s*\w+/g,
  },
};
