import { connectPg } from '@duework/database';
import { applyRoles } from '@duework/database/migrate';
import { createTestDatabase, type TestDatabase, withServer } from '@duework/database/testing';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { describeSchema, type SchemaThing } from '@duework/operate';
import { createProgram } from '../create-program.js';
import { programParts } from '../testing/program-parts.js';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  // roles are the server's: whether another test file has made them must not matter to this one
  await applyRoles({ url: database.url });
});
afterEach(() => database.drop());

const query = (text: string) => withServer(database.url, (client) => client.query(text));
async function repair(...more: readonly string[]): Promise<{ said: string; code: number | undefined }> {
  let said = '';
  let code: number | undefined;
  const parts = programParts({
    databaseUrl: () => database.url,
    write: (text) => (said += text),
    exitWith: (given) => (code = given),
  });
  await createProgram(parts).parseAsync(['migrate', '--repair', ...more], { from: 'user' });
  return { said, code };
}
async function describe(): Promise<SchemaThing[]> {
  const db = connectPg({ url: database.url, poolSize: 1 });
  try {
    return await describeSchema(db);
  } finally {
    await db.$disconnect();
  }
}

test('a schema that is as its migrations make it needs nothing', async () => {
  expect(await repair()).toEqual({
    said: expect.stringMatching(/^-- \S+ is as its migrations make it\.\n$/),
    code: undefined,
  });
});

const DRIFT: readonly (readonly [string, string, RegExp])[] = [
  [
    'a changed function',
    `CREATE OR REPLACE FUNCTION duework.next_run_id() RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint'`,
    /CREATE OR REPLACE FUNCTION duework\.next_run_id\(\)/,
  ],
  [
    'a function that is gone',
    'DROP FUNCTION duework.prune',
    /REVOKE ALL ON FUNCTION duework\.prune\(integer,integer\) FROM PUBLIC;/,
  ],
  ['a view that is gone', 'DROP VIEW duework.horizon_pins CASCADE', /CREATE OR REPLACE VIEW duework\.horizon_pins/],
  [
    'a changed view',
    'CREATE OR REPLACE VIEW duework.lost_workers AS SELECT name FROM duework.workers',
    /CREATE OR REPLACE VIEW duework\.lost_workers/,
  ],
  [
    'a trigger that is gone',
    'DROP TRIGGER job_history_dead_told ON duework.job_history_dead',
    /CREATE TRIGGER job_history_dead_told/,
  ],
  [
    'a trigger that does nothing',
    'ALTER TABLE duework.job_history_dead DISABLE TRIGGER job_history_dead_told',
    /DROP TRIGGER IF EXISTS job_history_dead_told/,
  ],
  [
    'an index that is gone',
    'DROP INDEX duework.job_runs_claim_idx',
    /CREATE INDEX CONCURRENTLY job_runs_claim_idx ON duework\.job_runs/,
  ],
  [
    'an index of days that is gone',
    'DROP INDEX duework.job_history_last_run_idx',
    /\nCREATE INDEX job_history_last_run_idx ON (ONLY )?duework\.job_history/,
  ],
  [
    'a constraint that is gone',
    'ALTER TABLE duework.job_runs DROP CONSTRAINT job_runs_state_check',
    /ADD CONSTRAINT job_runs_state_check CHECK [^]* NOT VALID;[^]*VALIDATE CONSTRAINT job_runs_state_check/,
  ],
  [
    'another default',
    'ALTER TABLE duework.job_runs ALTER COLUMN attempts SET DEFAULT 7',
    /ALTER COLUMN "attempts" SET DEFAULT 0;/,
  ],
  [
    'a column that may be null',
    'ALTER TABLE duework.job_runs ALTER COLUMN payload DROP NOT NULL',
    /ALTER COLUMN "payload" SET NOT NULL;/,
  ],
  ['a column that is gone', 'ALTER TABLE duework.queue_slots DROP COLUMN reason', /ADD COLUMN "reason" text;/],
  [
    'other storage',
    'ALTER TABLE duework.job_runs RESET (fillfactor)',
    /ALTER TABLE duework\.job_runs SET \([^)]*fillfactor=45/,
  ],
];

test.each(DRIFT)('%s is printed, and repaired with --apply', async (_, drift, printed) => {
  const wanted = await describe();
  await query(drift);
  const drifted = await describe();
  const dry = await repair();
  expect(dry).toMatchObject({ said: expect.stringMatching(printed), code: 3 });
  expect(await describe()).toEqual(drifted);
  expect(await repair('--apply')).toMatchObject({
    said: expect.stringMatching(/is as its migrations make it\.\n$/),
    code: undefined,
  });
  expect(await describe()).toEqual(wanted);
});

test('what is printed is SQL that repairs all of it at once', async () => {
  const wanted = await describe();
  for (const [, drift] of DRIFT.filter(([, one]) => !one.includes('DISABLE'))) await query(drift);
  const { said } = await repair();
  // statements that stand on their own are sent so
  const [together, apart = ''] = said.split('-- each on its own, outside a transaction\n');
  await query(together!);
  for (const statement of apart.split(';\n').filter((one) => one.trim() !== '' && !one.startsWith('--')))
    await query(statement);
  expect(await describe()).toEqual(wanted);
});

test('rights that the roles lack are given, and what everybody may call that only some should is taken back', async () => {
  await query(
    `REVOKE INSERT ON duework.job_runs FROM duework_worker; GRANT EXECUTE ON FUNCTION duework.prune TO PUBLIC`,
  );
  const { said } = await repair();
  expect(said).toContain('GRANT INSERT ON duework.job_runs TO duework_worker;\n');
  expect(said).toContain('REVOKE ALL ON FUNCTION duework.prune(integer,integer) FROM PUBLIC;\n');
  await repair('--apply');
  expect((await repair()).said).toContain('is as its migrations make it');
});

test('tables, and what others have added, are told and left; no row is lost', async () => {
  await query(`
    DROP TABLE duework.pauses CASCADE; CREATE TABLE duework.notes (id int); INSERT INTO duework.notes VALUES (1);
    ALTER TABLE duework.job_runs ADD COLUMN note text; ALTER TABLE duework.queue_slots ALTER COLUMN reason TYPE varchar(9)`);
  const { said, code } = await repair('--apply');
  expect(code).toBe(3);
  expect(said).toContain('-- Not repaired: The table pauses of the migrations is not there.\n');
  expect(said).toMatch(/-- Not repaired: The column queue_slots\.reason is character varying/);
  expect(said).toMatch(/-- Not repaired: The table notes is in the schema duework/);
  expect(said).not.toMatch(/DROP (TABLE|COLUMN)/);
  expect((await query('SELECT * FROM duework.notes')).rows).toEqual([{ id: 1 }]);
});

test('what PostgreSQL refuses names the statement, and nothing is changed', async () => {
  await query(`
    ALTER TABLE duework.job_runs ALTER COLUMN attempts SET DEFAULT 7, ALTER COLUMN payload DROP NOT NULL;
    ALTER TABLE duework.job_runs DROP CONSTRAINT job_runs_state_check;
    INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
    VALUES ('default', 'echo', 1, 5, now(), NULL, 3)`);
  const drifted = await describe();
  await expect(repair('--apply')).rejects.toMatchObject({
    code: 'database_repair_failed',
    problem: expect.stringMatching(/ALTER COLUMN .*payload.* SET NOT NULL.*Nothing was changed\.$/),
  });
  expect(await describe()).toEqual(drifted);
});
