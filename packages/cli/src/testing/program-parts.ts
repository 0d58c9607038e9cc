import type { Catalog } from '@duework/contracts';
import { PLAIN } from '../output/look.js';
import type { ProgramParts } from '../program-parts.js';

/** Parts of a program for a test: nobody is at a terminal, and nothing is written unless `given` says so. */
export const programParts = (
  given: Partial<ProgramParts> & { readonly catalog?: Catalog | undefined },
): ProgramParts => ({
  db: absent,
  anyDb: given.db ?? absent,
  shards: () => undefined,
  shardDb: absent,
  otherDb: absent,
  api: () => ({ url: undefined, key: undefined }),
  keyRing: () => null,
  reencryptInRedis: async () => null,
  redisUrl: () => null,
  actor: 'command:ana@laptop',
  databaseUrl: () => undefined,
  databaseWaitMs: () => 0,
  isReplicated: () => false,
  givenDatabaseUrl: () => undefined,
  runningDatabaseUrl: () => undefined,
  cwd: '/',
  self: '/main.js',
  version: '0.0.0',
  exitWith: () => {},
  onSignal: () => {},
  findJobs: given.catalog === undefined ? absent : () => '/jobs.js',
  loadJobs: async () => ({
    file: '/jobs.js',
    catalog: given.catalog ?? [],
    handlers: {},
    backoffs: undefined,
    middleware: undefined,
    schedules: undefined,
    schedulesVersion: undefined,
  }),
  write: () => {},
  look: PLAIN,
  confirm: undefined,
  progress: () => {},
  progressLook: PLAIN,
  timeZone: 'UTC',
  now: () => new Date('2026-03-28T12:00:00Z'),
  ...given,
});

function absent(): never {
  throw new Error('this test gives the program no database and no module of jobs');
}
