import { fileURLToPath } from 'node:url';

const recordWarnings = fileURLToPath(new URL('tools/dist/src/develop/test/record-warnings.cjs', import.meta.url));

// Prisma's generated client needs native ESM, and a warning fails the test in which it comes. Jest's workers inherit
// this, so that `npx jest <file>` works as it is.
const flags = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  `--require=${JSON.stringify(recordWarnings)}`,
];
process.env.NODE_OPTIONS = [
  process.env.NODE_OPTIONS ?? '',
  ...flags.filter((flag) => !process.env.NODE_OPTIONS?.includes(flag)),
]
  .join(' ')
  .trim();

// `npm test` ends with one line of totals; it names the file to leave them in.
const totals = process.env.DUEWORK_TEST_TOTALS;

// `npm test -- --short`, as .ci/run has it, leaves these to the night: they take a sixth of the time of all, and others show
// in small what they show for every screen, every command of Prisma and every kind of project.
const long = [
  '/tools/src/console/show.test.ts',
  '/packages/database/src/coexistence/prisma-command.test.ts',
  '/packages/cli/src/init/templates.test.ts',
  '/packages/worker/src/idle-workers.test.ts',
  '/packages/testing/src/kit/outsider.test.ts',
];

/** One run over the whole workspace, native ESM; packages see each other's built files. */
export default {
  roots: ['<rootDir>/packages', '<rootDir>/apps', '<rootDir>/tools/src'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: [
    ...['/node_modules/', '/dist/', '/create-duework/template/'],
    ...(process.env.DUEWORK_TESTS === 'short' ? long : []),
  ],
  modulePathIgnorePatterns: ['/dist/', '/create-duework/template/'],
  extensionsToTreatAsEsm: ['.ts'],
  // Packages are tested from their sources, so that a class is the same one for a test, its package and all others.
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^@duework/(bullmq|client|contracts|filter|http|operate|otel|queue-core|schedules|isolation|shards|testing|shop|sql|worker|workflows)$':
      '<rootDir>/packages/$1/src/index.ts',
    '^@duework/bullmq/outbox$': '<rootDir>/packages/bullmq/src/outbox/index.ts',
    '^@duework/queue-core/(handling|internals|ports)$': '<rootDir>/packages/queue-core/src/$1.ts',
    '^@duework/operate/step-bulk-actions$': '<rootDir>/packages/operate/src/bulk/step-bulk-actions.ts',
    '^@duework/schedules/ticker$': '<rootDir>/packages/schedules/src/tick/create-ticker.ts',
    '^@duework/shards/merges$': '<rootDir>/packages/shards/src/merges/index.ts',
    '^@duework/sql/adapters$': '<rootDir>/packages/sql/src/clients/adapters/index.ts',
    '^@duework/sql/errors$': '<rootDir>/packages/sql/src/errors/index.ts',
    '^@duework/(bullmq|cli|http|shop|worker)/testing$': '<rootDir>/packages/$1/src/testing/index.ts',
    '^@duework/isolation/handler$': '<rootDir>/packages/isolation/src/handler.ts',
    '^@duework/testing/conformance$': '<rootDir>/packages/testing/src/conformance/describe-store.ts',
    '^@duework/testing/(fixtures|kit|simulation)$': '<rootDir>/packages/testing/src/$1/index.ts',
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
  testEnvironment: '<rootDir>/tools/dist/src/develop/test/strict-environment.js',
  runtime: '<rootDir>/tools/dist/src/develop/test/share-modules.cjs',
  testSequencer: '<rootDir>/tools/dist/src/develop/test/start-slow-first.js',
  globalSetup: '<rootDir>/tools/dist/src/develop/test/set-up.js',
  globalTeardown: '<rootDir>/tools/dist/src/develop/test/tear-down.js',
  reporters: [
    'default',
    ...(totals ? [['<rootDir>/tools/dist/src/develop/test/write-totals-reporter.js', { file: totals }]] : []),
  ],
  // Ends a test that hangs, and no other: on a machine that does much else, a dozen processes take minutes to start.
  testTimeout: 300_000,
  maxWorkers: 2,
  // Each file leaves 30 MB of modules behind, and beside 1.7 GB of them a simulation takes a third more of the processor.
  // With a limit, however large, jest never runs a single file in its own process, which has not got the flags above.
  workerIdleMemoryLimit: '1GB',
};
