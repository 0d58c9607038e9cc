import { randomBytes } from 'node:crypto';
import { defineCatalog, defineJob } from '@duework/contracts';
import { connectPg, type PgClient } from '@duework/database';
import { printRoles } from '@duework/database/migrate';
import {
  acknowledgeJob,
  cancelJob,
  createPostgresStore,
  enqueue,
  enqueueMany,
  ensurePartitions,
  findJobs,
  freeKey,
  getJob,
  jobRequest,
  openQueue,
  pushContracts,
  readQueueDepth,
  readRegistry,
  readUnservedJobs,
  retryJob,
} from '@duework/queue-core';
import {
  checkKeys,
  createKey,
  explainJob,
  getBulkAction,
  listPauses,
  pauseQueue,
  pauseType,
  previewBulkAction,
  readAudit,
  readFigures,
  readQueues,
  readSteps,
  readWorkers,
  resumeQueue,
  resumeType,
  revokeKey,
  startBulkAction,
  stepBulkActions,
  undoBulkAction,
} from '@duework/operate';
import { pruneAudit, pruneBulkActions } from '@duework/queue-core/internals';
import {
  createTicker,
  deleteSchedule,
  findSchedules,
  findDueTimes,
  pauseSchedule,
  saveSchedule,
  triggerSchedule,
} from '@duework/schedules';
import { startTestWorker } from '@duework/testing';
import { useTestDatabase } from '@duework/testing/fixtures';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { z } from 'zod';

const database = useTestDatabase();
const ROLES = ['app', 'worker', 'operator', 'reader'] as const;
type Role = (typeof ROLES)[number];
const PRIVILEGES = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'] as const;

const pay = defineJob({
  type: 'pay',
  payload: z.object({ n: z.int(), ends: z.enum(['well', 'badly', 'later']) }),
  result: z.object({ n: z.int() }),
  maxAttempts: 1,
  idempotencyKey: ({ n }) => `pay:${n}`,
});
const catalog = defineCatalog([pay]);
const tomorrow = { key: 'a', at: new Date(Date.now() + 86_400_000), payload: { n: 7, ends: 'well' } } as const;

const SCRIPT = printRoles();
const suffix = randomBytes(4).toString('hex');
const clients = new Map<Role, PgClient>();
const as = (role: Role): PgClient => clients.get(role)!;

/** A statement in a session of its own. */
async function ask<T extends object>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}
/** By the database's owner. */
const own = <T extends object>(text: string): Promise<T[]> => ask(database.url, text);
/** By somebody who has one of the roles. */
const by = (role: Role, text: string): Promise<object[]> => ask(urlOf(role), text);

function urlOf(role: Role): string {
  const url = new URL(database.url);
  [url.username, url.password] = [`roles_test_${role}_${suffix}`, suffix];
  return url.toString();
}

beforeAll(async () => {
  await own(SCRIPT);
  for (const role of ROLES) {
    await own(`CREATE ROLE roles_test_${role}_${suffix} LOGIN PASSWORD '${suffix}' IN ROLE duework_${role}`);
    clients.set(role, connectPg({ url: urlOf(role), poolSize: 4 }));
  }
});
afterAll(async () => {
  for (const client of clients.values()) await client.$disconnect();
  // the file's own database may be gone by now
  const server = new URL(database.url);
  server.pathname = '/postgres';
  for (const role of ROLES) await ask(server.toString(), `DROP ROLE roles_test_${role}_${suffix}`);
});

/** What each role may do with each relation; a partition has the rights of its table. */
const RIGHTS: Readonly<Record<string, Readonly<Record<Role, string>>>> = Object.fromEntries(
  (
    [
      [['job_runs', 'job_history', 'job_keys', 'job_effects', 'schedules', 'schedule_ledger'], 'SIUD', 'SIUD', '~'],
      [['flow_rules', 'flow_keys', 'flow_waits', 'flow_looks', 'flow_turns'], 'SIUD', 'SIUD', '~'],
      [['job_attempts', 'job_objects'], 'SIUD', 'SI', '~'],
      [['stored_objects'], 'SD', 'S', ''],
      [['commit_checks'], '', '', ''],
      [['job_steps'], 'SIUD', 'SUD', '~'],
      [['job_signals', 'job_batches', 'job_batch_jobs', 'published_events'], 'SD', 'S', '~'],
      [['job_batch_changes'], 'S', 'S', '~'],
      [['released_runs'], 'SID', 'SD', '~'],
      [['expiries'], 'SIUD', 'SI', '~'],
      [['schedule_lists'], 'SIU', 'S', '~'],
      [['job_definitions'], 'SIU', 'SIU', '~'],
      [['job_contracts'], 'SI', 'SI', '~'],
      [['schedule_declarations', 'workers', 'worker_contracts', 'past_workers', 'chores'], 'SIUD', 'S', '~'],
      [['job_alerts'], 'SIUD', 'SIUD', '~'],
      [['alert_silences'], 'SD', 'SIUD', '~'],
      [['xid_samples'], 'SIUD', 'SID', '~'],
      [['migrations', 'shard'], 'S', 'S', '~'],
      [['carried_jobs'], 'SIUD', 'S', '~'],
      [['origin'], 'SIU', 'SIU', '~'],
      [['retention'], 'SIU', 'S', '~'],
      [['api_keys'], '', 'SIU', ''],
      [['audit_entries'], 'SI', 'SI', '~'],
      [['bulk_actions'], 'SU', 'SIU', '~'],
      [['bulk_action_runs'], 'SI', 'SI', '~'],
      [['bulk_undos'], 'SID', 'SID', ''],
      [['figures_minutes', 'figures_hours', 'figures_days'], 'SIUD', 'S', '~'],
      [['kept_answers'], 'SUD', '', ''],
      [['pauses'], 'SD', 'SIUD', '~'],
      [['queue_slots'], 'S', 'SIUD', '~'],
      [
        [
          'alert_conditions',
          'dead_jobs',
          'finished_jobs',
          'horizon_pins',
          'jobs',
          'live_jobs',
          'lost_workers',
          'queue_depth',
          'running_runs',
          'schedule_states',
          'stuck_jobs',
          'unserved_jobs',
        ],
        'S',
        'S',
        '~',
      ],
      [['last_runs'], 'S', 'S', ''],
    ] as const
  ).flatMap(([names, worker, operator, reader]) =>
    names.map((name) => [name, { app: name === 'migrations' ? 'S' : '', worker, operator, reader }]),
  ),
);
/** `~`: some columns can be selected, and none of these. */
const HIDDEN = [
  'payload',
  'result',
  'default_payload',
  'meta',
  'body',
  'secret_hash',
  'filter',
  'options',
  'callbacks',
  'logs',
];
/** Columns of JSON that a reader may see, because nothing of a payload is in them. */
const SHOWN_JSON = [
  // never the value of a payload's field
  'audit_entries.before',
  'audit_entries.after',
  'bulk_actions.refused',
  // cleaned of the payload's values, as job_runs.last_error is
  'job_steps.error',
  // ids
  'job_batches.enqueued',
  'published_events.jobs',
  // the names of callbacks, such as onSettled
  'job_batches.planned',
  'job_alerts.facts',
  'alert_conditions.facts',
  'job_contracts.payload_schema',
  'job_definitions.payload_schema',
  'job_definitions.retry',
  // numbers, and the names of a payload's fields
  'job_definitions.flow',
  'job_definitions.terms',
  'job_definitions.subscription',
  'job_definitions.unique_rule',
  'flow_rules.declared',
  'flow_rules.changed',
  // moments
  'job_runs.terms',
  'job_history.terms',
  'jobs.terms',
  'live_jobs.terms',
  'finished_jobs.terms',
  'running_runs.terms',
  'worker_contracts.contracts',
  'worker_contracts.keeps',
  'past_workers.contracts',
  // what a handler reports for whoever looks at the job
  'job_runs.progress',
  'job_history.progress',
  'jobs.progress',
  'live_jobs.progress',
  'finished_jobs.progress',
  'running_runs.progress',
];

describe('the rights on every relation of every migration', () => {
  test('are those of this table: a new table is classified here and in wanted-rights.sql', async () => {
    const relations = await own<{ name: string; top: string }>(`
      SELECT c.relname AS name, coalesce((
        SELECT p.relname FROM pg_partition_ancestors(c.oid) a JOIN pg_class p ON p.oid = a.relid
        WHERE NOT p.relispartition
      ), c.relname) AS top
      FROM pg_class c WHERE c.relnamespace = 'duework'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')`);
    const held = await own<{ name: string; role: Role; privilege: string; is_all: boolean }>(`
      SELECT c.relname AS name, r.role, p.name AS privilege, has_table_privilege('duework_' || r.role, c.oid, p.name) AS is_all
      FROM pg_class c
      CROSS JOIN unnest(ARRAY['${ROLES.join("','")}']) AS r (role)
      CROSS JOIN unnest(ARRAY['${PRIVILEGES.join("','")}']) AS p (name)
      WHERE c.relnamespace = 'duework'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
        AND (has_table_privilege('duework_' || r.role, c.oid, p.name)
          OR (p.name IN ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES') AND has_any_column_privilege('duework_' || r.role, c.oid, p.name)))`);
    const lettersOf = (relation: string, role: Role): string => {
      const mine = held.filter(({ name, role: other }) => name === relation && other === role);
      return PRIVILEGES.map((privilege) => {
        const one = mine.find((found) => found.privilege === privilege);
        return one === undefined ? '' : one.is_all ? privilege[0] : privilege === 'SELECT' ? '~' : '?';
      }).join('');
    };
    const found = relations.map(({ name }) => [
      name,
      Object.fromEntries(ROLES.map((role) => [role, lettersOf(name, role)])),
    ]);
    const expected = relations.map(({ name, top }) => [name, RIGHTS[top]]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
    expect(relations.length).toBeGreaterThan(30);
  });

  test('let a reader see no column of JSON that is not known to be harmless', async () => {
    const columns = await own<{ place: string; name: string; top: string }>(`
      SELECT c.relname || '.' || t.attname AS place, t.attname AS name, coalesce((
        SELECT p.relname FROM pg_partition_ancestors(c.oid) a JOIN pg_class p ON p.oid = a.relid WHERE NOT p.relispartition
      ), c.relname) || '.' || t.attname AS top
      FROM pg_attribute t JOIN pg_class c ON c.oid = t.attrelid
      WHERE c.relnamespace = 'duework'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
        AND t.attnum > 0 AND NOT t.attisdropped AND has_column_privilege('duework_reader', c.oid, t.attnum, 'SELECT')
        AND (t.atttypid IN ('json'::regtype, 'jsonb'::regtype) OR t.attname = ANY(ARRAY['${HIDDEN.join("','")}']))`);
    expect(columns.filter(({ top, name }) => HIDDEN.includes(name) || !SHOWN_JSON.includes(top))).toEqual([]);
  });

  test('let nobody run a function with its owner’s rights but those who need it', async () => {
    const functions = await own<{ name: string; roles: string[] | null }>(`
      SELECT f.proname AS name, array_agg(r.role ORDER BY r.role) FILTER (WHERE has_function_privilege(r.name, f.oid, 'EXECUTE')) AS roles
      FROM pg_proc f
      CROSS JOIN (SELECT role, 'duework_' || role AS name FROM unnest(ARRAY['${ROLES.join("','")}']) AS role) r
      WHERE f.pronamespace = 'duework'::regnamespace AND f.prosecdef
      GROUP BY f.proname, f.oid`);
    const expected: Readonly<Record<string, readonly Role[] | null>> = {
      enqueue: ['app', 'operator', 'worker'],
      enqueue_1: ['app', 'operator', 'worker'],
      enqueue_many_1: ['app', 'operator', 'worker'],
      enqueue_unique_1: ['app', 'operator', 'worker'],
      publish: ['app', 'operator', 'worker'],
      publish_1: ['app', 'operator', 'worker'],
      replay_events: ['operator'],
      signal: ['app', 'operator', 'worker'],
      check_at_commit: ['app', 'operator', 'worker'],
      put_object: ['app', 'operator', 'worker'],
      refuse_alone: null,
      tell_dead: null,
      tell_ended: null,
      cancel_children: null,
      leave_waits: null,
      note_batch_end: null,
      note_batch_return: null,
      take_up_waits: null,
      open_batch: ['app', 'operator', 'worker'],
      join_batch: ['app', 'operator', 'worker'],
      begin_batch: ['app', 'operator', 'worker'],
      add_up_batches: ['operator', 'worker'],
      ensure_partitions: ['operator', 'worker'],
      prune: ['worker'],
      prune_audit: ['worker'],
      prune_bulk_actions: ['worker'],
      take_answer: ['app', 'operator', 'worker'],
      keep_answer: ['app', 'operator', 'worker'],
      empty_copy: ['operator'],
      ready_restored: ['operator'],
      raise_sequences: ['operator'],
    };
    expect(functions.map(({ name, roles }) => [name, roles])).toEqual(
      functions.map(({ name }) => [name, expected[name]]),
    );
    expect(functions.map(({ name }) => name).toSorted()).toEqual(Object.keys(expected).toSorted());
    const open = await own(`
      SELECT f.oid::regprocedure AS open FROM pg_proc f
      CROSS JOIN LATERAL aclexplode(coalesce(f.proacl, acldefault('f', f.proowner))) AS a
      WHERE f.pronamespace = 'duework'::regnamespace AND f.prosecdef AND a.grantee = 0`);
    expect(open).toEqual([]);
  });

  test('are the same after the script has run twice, and none on what it does not know', async () => {
    await own('CREATE TABLE duework.new_things (id bigint)');
    await own(
      `CREATE FUNCTION duework.do_new_thing(n integer) RETURNS integer LANGUAGE sql SECURITY DEFINER AS 'SELECT n'`,
    );
    await own('GRANT ALL ON duework.new_things TO duework_reader');
    await own(SCRIPT);
    await own(SCRIPT);
    for (const role of ROLES) {
      await expect(by(role, 'SELECT FROM duework.new_things')).rejects.toMatchObject({ code: '42501' });
      await expect(by(role, 'SELECT duework.do_new_thing(1)')).rejects.toMatchObject({ code: '42501' });
    }
    await own('DROP TABLE duework.new_things; DROP FUNCTION duework.do_new_thing');
  });
});

describe('an application', () => {
  test('enqueues by every way there is', async () => {
    await pushContracts(database.db, catalog);
    await enqueue(as('app'), pay, { n: 1, ends: 'well' });
    expect(await enqueue(as('app'), pay, { n: 1, ends: 'well' })).toMatchObject({ isDeduplicated: true });
    await enqueueMany(as('app'), [jobRequest(pay, { n: 2, ends: 'badly' }), jobRequest(pay, { n: 3, ends: 'later' })]);
    await openQueue(as('app')).enqueue(pay, { n: 4, ends: 'well' });
    await by('app', `SELECT * FROM duework.enqueue('pay', '{"n": 5, "ends": "well"}', 'pay:5')`);
    expect((await findJobs(database.db)).jobs).toHaveLength(5);
  });

  test('reads no payload, and nothing else, by any relation or function', async () => {
    const { id } = (await findJobs(database.db)).jobs[0]!;
    for (const look of [
      getJob(as('app'), id),
      findJobs(as('app')),
      cancelJob(as('app'), id),
      readQueueDepth(as('app')),
      saveSchedule(as('app'), pay, tomorrow),
    ])
      await expect(look).rejects.toThrow(/permission denied/);
    const relations = await own<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'duework'::regnamespace AND relkind IN ('r', 'p', 'v')`,
    );
    for (const { name } of relations.filter((relation) => relation.name !== 'migrations'))
      await expect(by('app', `SELECT count(*) FROM duework.${name}`)).rejects.toMatchObject({ code: '42501' });
    for (const call of [
      'find_job(1)',
      "find_last_run('pay', 1)",
      'read_payloads(0, 9e18::bigint, 10, 1000)',
      'prune(1, 1)',
      'ensure_partitions(1)',
    ])
      await expect(by('app', `SELECT * FROM duework.${call}`)).rejects.toMatchObject({ code: '42501' });
  });
});

describe('a worker', () => {
  test('runs jobs, keeps leases, settles, rescues, makes schedules’ runs, partitions and alerts, and prunes', async () => {
    const db = as('worker');
    const { worker, events } = await startTestWorker<typeof catalog>(db, {
      catalog,
      ticker: createTicker({ db, catalog }),
      handlers: {
        pay: async ({ payload: { n, ends }, once, progress }) => {
          progress({ done: 1 });
          await once('charge', () => Promise.resolve({ n }));
          if (ends === 'badly') throw new Error('no');
          return ends === 'later' ? { kind: 'snooze', delayMs: 3_600_000 } : { kind: 'complete', result: { n } };
        },
      },
    });
    await events.waitFor('job.succeeded', 3);
    await events.waitFor('job.dead');
    await events.waitFor('job.snoozed');
    await worker.stop({ deadlineMs: 1_000 });
    const failures = events.all.filter(({ name }) => name === 'database.failed');
    expect(failures).toEqual([]);
    const store = createPostgresStore({ db });
    const [newest] = await own<{ name: string }>(`
      SELECT c.oid::regclass::text AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'duework.job_history_days'::regclass AND c.relname ~ '_[0-9]{8}$' ORDER BY c.relname DESC LIMIT 1`);
    await own(`DROP TABLE ${newest!.name}`);
    expect(await store.prune({ keepDays: 30, keepDeadDays: 90, diskGb: 1_000 })).toMatchObject({ made: 1 });
    await store.rescue(10, { workers: [] });
    await store.lookForAlerts({ maxDeadPerHour: 0, maxWaitingSeconds: 1, maxHorizonSeconds: 1 }, []);
    expect(await own(`SELECT name FROM duework.job_alerts WHERE name = 'too_many_dead_jobs'`)).toHaveLength(1);
    await own(`INSERT INTO duework.audit_entries (at, by, via, verb, kind, target)
      VALUES (now() - interval '500 days', 'program', 'program', 'retry', 'job', 'old')`);
    expect(await pruneAudit(db, 400, 10)).toBe(1);
    expect(await pruneBulkActions(db, 400, 10)).toBe(0);
  });

  test('takes the jobs of a batch out of their day before it drops it', async () => {
    await own(`SELECT duework.ensure_partitions(0, 40)`);
    const [job] = await own<{ id: string }>(`
      WITH job AS (
        INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence,
          worker, claimed_at, created_at, finished_at)
        SELECT duework.first_id_today(-40), 'default', 'pay', 1, 'succeeded', 5, at, '{}', 1, 3, 1, 'w', at, at, at
        FROM (SELECT now() - interval '40 days' AS at) AS x
        RETURNING id
      )
      INSERT INTO duework.job_batch_jobs (batch_id, run_id) SELECT 'b', id FROM job RETURNING run_id::text AS id`);
    await createPostgresStore({ db: as('worker') }).prune({ keepDays: 30, keepDeadDays: 90 });
    expect(
      await own(`SELECT tableoid::regclass::text AS place FROM duework.job_history WHERE id = ${job!.id}`),
    ).toEqual([{ place: 'duework.job_history_late' }]);
  });

  test('steps bulk actions, of which it begins none', async () => {
    const { id } = await startBulkAction(database.db, catalog, { verb: 'change_priority', filter: '', priority: 1 });
    await stepBulkActions(as('worker'), catalog, new AbortController().signal);
    expect(await getBulkAction(as('worker'), id)).toMatchObject({ status: 'finished' });
    await expect(startBulkAction(as('worker'), catalog, { verb: 'cancel', filter: '' })).rejects.toThrow(
      /permission denied/,
    );
  });

  test('gets a partition that it has made with the rights that every other one has', async () => {
    const [newest] = await own<{ same: boolean }>(`
      SELECT count(DISTINCT (SELECT array_agg(a::text ORDER BY a::text) FROM unnest(c.relacl) AS a)) = 1 AS same
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'duework.job_history_days'::regclass AND c.relname ~ '_[0-9]{8}$'`);
    expect(newest).toEqual({ same: true });
  });

  test.each([
    'CREATE TABLE duework.mine ()',
    'DROP TABLE duework.job_runs',
    'TRUNCATE duework.job_runs',
    'ALTER TABLE duework.job_runs DISABLE TRIGGER ALL',
    'UPDATE duework.migrations SET name = name',
    'DELETE FROM duework.job_contracts',
    'DELETE FROM duework.audit_entries',
    'DELETE FROM duework.bulk_action_runs',
    'SELECT * FROM duework.api_keys',
  ])('may not: %s', async (statement) => {
    await expect(by('worker', statement)).rejects.toThrow(/permission denied|must be owner/);
  });
});

describe('an operator', () => {
  test('looks at everything, retries, cancels, acknowledges, frees keys and keeps schedules', async () => {
    const db = as('operator');
    const { jobs } = await findJobs(db, { status: 'dead' });
    const [dead] = jobs;
    expect((await getJob(db, dead!.id)).job.payload).toMatchObject({ n: 2 });
    await acknowledgeJob(db, dead!.id);
    await freeKey(db, dead!.id);
    await retryJob(db, dead!.id);
    expect(await cancelJob(db, dead!.id, { by: 'ada' })).toBe('cancelled');
    await enqueue(db, pay, { n: 6, ends: 'well' });
    await ensurePartitions(db, 7);
    await pushContracts(db, catalog);
    await readQueueDepth(db);
    await readUnservedJobs(db);
    await readRegistry(db);
    await saveSchedule(db, pay, tomorrow);
    await pauseSchedule(db, 'a');
    await triggerSchedule(db, catalog, 'a');
    await findSchedules(db);
    await findDueTimes(db);
    await deleteSchedule(db, 'a');
  });

  test('pauses, acts on many, makes keys and revokes them, explains, reads figures, workers and the audit', async () => {
    const db = as('operator');
    await pauseQueue(db, 'slow', { reason: 'the provider is down' });
    await pauseType(db, 'pay');
    expect(await listPauses(db)).toHaveLength(2);
    await resumeQueue(db, 'slow');
    await resumeType(db, 'pay');
    const { id } = (await findJobs(db)).jobs[0]!;
    await explainJob(db, id);
    await readSteps(db, id);
    await readFigures(db, {});
    await readWorkers(db);
    await readQueues(db);
    const { text } = await createKey(db, { name: 'deploy', scopes: ['read'] });
    expect(await checkKeys(db)(text)).toMatchObject({ isGood: true });
    await revokeKey(db, 'deploy');
    const request = { verb: 'change_priority', filter: '', priority: 2 } as const;
    await previewBulkAction(db, catalog, request);
    const action = await startBulkAction(db, catalog, request);
    await stepBulkActions(db, catalog, new AbortController().signal);
    await undoBulkAction(db, action.id);
    await stepBulkActions(db, catalog, new AbortController().signal);
    const { entries } = await readAudit(db, { limit: 5 });
    expect(entries.map(({ verb }) => verb)).toEqual([
      'finish_bulk_action',
      'undo_bulk_action',
      'finish_bulk_action',
      'start_bulk_action',
      'revoke_api_key',
    ]);
  });

  test.each([
    'TRUNCATE duework.job_history',
    'DELETE FROM duework.job_attempts',
    'INSERT INTO duework.migrations DEFAULT VALUES',
    'UPDATE duework.job_contracts SET checksum = checksum',
    'SELECT duework.prune(1, 1)',
    'DELETE FROM duework.audit_entries',
    'SELECT duework.prune_audit(30, 1)',
    'DELETE FROM duework.api_keys',
    'SELECT * FROM duework.kept_answers',
  ])('may not: %s', async (statement) => {
    await expect(by('operator', statement)).rejects.toThrow(/permission denied/);
  });
});

describe('a reader', () => {
  test('sees jobs, attempts, schedules, queues and workers', async () => {
    const db = as('reader');
    for (const question of [
      'SELECT id, status, job_type, last_error FROM duework.jobs',
      'SELECT id, status FROM duework.job_history',
      'SELECT run_id, error_message FROM duework.job_attempts',
      'SELECT key, cron FROM duework.schedules',
      'SELECT * FROM duework.queue_depth',
      'SELECT * FROM duework.unserved_jobs',
      'SELECT * FROM duework.workers',
      'SELECT * FROM duework.horizon_pins',
      'SELECT * FROM duework.read_size()',
    ])
      await by('reader', question);
    await readQueueDepth(db);
    await readUnservedJobs(db);
  });

  test.each([
    'SELECT payload FROM duework.jobs',
    'SELECT result FROM duework.jobs',
    'SELECT * FROM duework.job_runs',
    'SELECT payload FROM duework.job_history_dead',
    'SELECT j FROM duework.job_runs j',
    'SELECT to_json(j) FROM duework.jobs j',
    'SELECT id FROM duework.job_runs WHERE payload @> \'{"n": 1}\'',
    'SELECT payload FROM duework.schedules',
    'SELECT default_payload FROM duework.job_definitions',
    'SELECT result FROM duework.job_effects',
    'SELECT filter FROM duework.bulk_actions',
    'SELECT options FROM duework.bulk_actions',
    'SELECT was FROM duework.bulk_undos',
    'SELECT name FROM duework.api_keys',
    'SELECT * FROM duework.find_job(1)',
    'SELECT * FROM duework.read_payloads(0, 9000000000000000000, 10, 1000)',
    'SELECT * FROM duework.last_runs',
    "SELECT duework.enqueue('pay', '{}')",
    'UPDATE duework.job_runs SET priority = 0',
    'DELETE FROM duework.schedules',
  ])('may not: %s', async (statement) => {
    await expect(by('reader', statement)).rejects.toThrow(/permission denied/);
  });
});
