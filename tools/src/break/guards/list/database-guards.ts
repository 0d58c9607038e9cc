import type { Guard, NamedTest } from '../guard.js';
import { core, cut, database, migration } from './places.js';

const tables = migration('20261120120000_queue');
const retention = migration('20261120121300_retention');
const test = (title: string): NamedTest => ({ file: database('schema/partitions.test.ts'), title });
const PARTITIONS_LOCK = `PERFORM pg_advisory_xact_lock(hashtextextended('duework.partitions', 0));`;

const LATE =
  'a run that ends %s days after the day of its id is kept for as long as any other: in %s, its attempts in %s';

export const databaseGuards: readonly Guard[] = [
  {
    name: 'check-attempts',
    says: 'the database refuses a run that waits without an attempt left',
    edits: [
      {
        file: tables,
        find: 'ELSE attempts >= 0 AND attempts <= max_attempts - 1 AND',
        replace: 'ELSE attempts >= 0 AND',
      },
    ],
    tests: [
      { file: database('schema/constraints.test.ts'), title: 'more attempts than allowed' },
      { file: database('schema/constraints.test.ts'), title: 'no attempt allowed' },
    ],
  },
  {
    name: 'check-lease',
    says: 'the database refuses a running run without a lease, and a lease without a running run',
    edits: [
      { file: tables, find: 'fence >= 1 AND (locked_by, locked_until, claimed_at) IS NOT NULL', replace: 'true' },
      { file: tables, find: '(locked_by, locked_until, cancel_requested_at) IS NULL', replace: 'true' },
    ],
    tests: ['running without an owner', 'running without a fence', 'queued with an owner', 'failed with a lease'].map(
      (title): NamedTest => ({ file: database('schema/constraints.test.ts'), title }),
    ),
  },
  {
    name: 'last-runs',
    says: 'one run of each type that a statement settles can be found as its last one',
    edits: [
      cut(
        core('sql/settle/complete-runs.ts'),
        'r.id = ANY(ARRAY(SELECT max(id) FROM r GROUP BY job_type)),',
        'r.id = (SELECT max(id) FROM r)',
      ),
    ],
    tests: [
      {
        file: core('sql/settle/complete-runs.test.ts'),
        title: 'knows the newest run of each type of a batch, for which the index has one entry a type',
      },
    ],
  },
  {
    name: 'late-runs',
    says: 'a run that ends late is not dropped with the day of its id',
    edits: [cut(core('sql/settle/complete-runs.ts'), '${isLate(sql`r.id`)}', 'false AND ${isLate(sql`r.id`)}')],
    tests: [{ file: core('sql/enqueue/late-runs.test.ts'), title: LATE, of: '2' }],
  },
  {
    name: 'late-attempts',
    says: 'an attempt that ends late is not dropped with the day of its run’s id',
    edits: [cut(core('sql/fragments.ts'), 'SELECT ${isLate(sql`${run}.id`)}', 'SELECT false')],
    tests: [{ file: core('sql/enqueue/late-runs.test.ts'), title: LATE, of: '2' }],
  },
  {
    name: 'connection-gap',
    says: 'a connection that ends before anybody listens to it does not end the process',
    edits: [
      cut(
        database('to-pool-config.ts'),
        'Client: clientClass(address, tellLost(options.onConnectionLost)),',
        '...(clientClass === undefined || tellLost === undefined ? {} : {}),',
      ),
    ],
    tests: [
      {
        file: database('connect-prisma.test.ts'),
        title:
          'a server that says goodbye in the packet that opens a connection for a transaction does not end the process',
      },
    ],
  },
  {
    name: 'unreplicated-commit',
    says: 'a commit that only this server has does not count as done',
    edits: [
      cut(
        database('hosts/fail-unreplicated.ts'),
        "if ((warning as Warning).routine !== 'SyncRepWaitForLSN') return;",
        "if ((warning as Warning).routine !== 'nothing') return;",
      ),
    ],
    tests: [
      {
        file: 'packages/worker/src/failover.test.ts',
        title: 'a commit whose wait for a standby somebody has cancelled is an error, and not a success',
      },
    ],
  },
  {
    name: 'standby-connection',
    says: 'a connection to what has become a standby is not used again',
    edits: [cut(database('quiet-client.ts'), "USELESS.has(error.code ?? '')", "USELESS.has('')")],
    tests: [
      {
        file: database('hosts/hosts-client.test.ts'),
        title: 'a connection on which a write was refused as on a standby is not used again',
      },
    ],
  },
  {
    name: 'writing-host',
    says: 'a client that is to write does not stay with a standby',
    edits: [
      cut(
        database('hosts/hosts-client.ts'),
        'if (isWritten && !(await takesWrites())) throw readOnlyError();',
        'void [takesWrites, readOnlyError];',
      ),
    ],
    tests: [
      {
        file: database('hosts/hosts-client.test.ts'),
        title: 'a server that takes no writes is passed by, where writes are asked for',
      },
    ],
  },
  {
    name: 'pg-commit',
    says: 'a transaction that PostgreSQL rolled back does not look committed',
    edits: [
      cut(
        database('connect-pg.ts'),
        `if (command !== 'COMMIT')
        throw new Error('The transaction was rolled back, because one of its statements had failed.');`,
        'void command;',
      ),
    ],
    tests: [
      {
        file: database('connect-pg.test.ts'),
        title: 'a transaction one of whose statements failed does not look committed',
      },
    ],
  },
  {
    name: 'pg-timeout',
    says: 'a statement of a transaction that was given up does not keep its locks',
    edits: [
      cut(
        database('connect-pg.ts'),
        'await client.query(`BEGIN; SET LOCAL statement_timeout = ${Math.ceil(timeoutMs)}`);',
        "await client.query('BEGIN');",
      ),
    ],
    tests: [
      {
        file: database('connect-pg.test.ts'),
        title:
          'a transaction that takes too long is rolled back, its locks are free, and the next one finds a connection',
      },
    ],
    error: /took longer than 5000 ms/,
  },
  {
    name: 'partitions-lock',
    says: 'one worker at a time makes partitions',
    edits: [
      {
        file: tables,
        find: `  ${PARTITIONS_LOCK}\n  FOR parent IN`,
        replace: `  FOR parent IN`,
      },
    ],
    tests: [test('two workers that make partitions at once make each of them once')],
    error: /already exists|deadlock detected/,
  },
  {
    name: 'prune-lock',
    says: 'retention passes over a key that somebody is taking',
    edits: [
      { file: retention, find: '      FOR UPDATE SKIP LOCKED\n    ),\n    decided', replace: '    ),\n    decided' },
    ],
    tests: [test('a key that somebody takes for a new run at the same time is kept')],
  },
  {
    name: 'prune-lock-timeout',
    says: 'retention gives up rather than hold up settlements',
    edits: [{ file: retention, find: `SET lock_timeout = '2s'`, replace: `SET lock_timeout = '2min'` }],
    tests: [test('prune gives up when a reader holds a partition, and drops it the next time')],
  },
  {
    name: 'migrate-lock',
    says: 'one migrator at a time',
    edits: [
      cut(
        database('migrate/with-migration-lock.ts'),
        'const { rows } = await client.query<{ is_mine: boolean }>(`SELECT pg_try_advisory_lock(${lock}) AS is_mine`);',
        (text) => text.replace('pg_try_advisory_lock(${lock})', '${lock} IS NOT NULL'),
      ),
    ],
    tests: [
      {
        file: database('migrate/migrate-database.test.ts'),
        title: 'a second migrator waits and finds nothing to do',
      },
    ],
    // which of the two it is depends on who comes first
    error: /already exists|duplicate key|expect\(/,
  },
  {
    name: 'migration-lock-timeout',
    says: 'a migration that waits for a lock lets claims pass',
    edits: [
      cut(
        database('migrate/apply-migration.ts'),
        'await client.query(`BEGIN; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}; SET LOCAL statement_timeout = 0`);',
        (text) => text.replace('${LOCK_TIMEOUT_MS}', '${LOCK_TIMEOUT_MS * 100}'),
      ),
    ],
    tests: [
      {
        file: 'tools/src/release/dump/migrate-beside-workers.test.ts',
        title:
          'a migration that has to wait for a lock stops claims for less than a second, and is applied once the lock is free',
      },
    ],
  },
];
