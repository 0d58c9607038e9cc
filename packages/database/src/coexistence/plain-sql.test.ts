import { expect, test } from '@jest/globals';
import { migrateDatabase } from '../migrate/migrate-database.js';
import { migrations } from '../migrate/generated/migrations.js';
import { printFiles } from '../migrate/print/print-files.js';
import { printMigrations } from '../migrate/print/print-migrations.js';
import { splitStatements } from '../migrate/split-statements.js';
import { expectAsMigrated } from './expect-as-migrated.js';
import { createTestDatabase } from '../testing/create-test-database.js';
import { withServer } from '../testing/with-server.js';

const last = migrations.at(-1)?.name ?? '';

test('the printed SQL, run by a person, records itself: duework migrate finds nothing to do', async () => {
  const database = await createTestDatabase({ isMigrated: false });
  const [file] = printMigrations();
  await withServer(database.url, (client) => client.query(`BEGIN; ${file?.text ?? ''} COMMIT`));
  expect(await migrateDatabase({ url: database.url })).toMatchObject({ appliedMigrationNames: [] });
  await expectAsMigrated(database.url);
  await database.drop();
});

test('the printed SQL does nothing where it is recorded, and applies what is not', async () => {
  const database = await createTestDatabase({ isMigrated: false });
  const run = (text: string): Promise<unknown> => withServer(database.url, (client) => client.query(text));
  const files = printMigrations({ tool: 'prisma' }).map(({ text }) => text);
  for (const text of files.slice(0, -1)) await run(text);
  const recorded = (): Promise<unknown> =>
    withServer(
      database.url,
      async (client) => (await client.query('SELECT * FROM duework.migrations ORDER BY name')).rows,
    );
  const before = await recorded();
  for (const text of files.slice(0, -1)) await run(text);
  expect(await recorded()).toEqual(before);
  await run(printMigrations()[0]?.text ?? '');
  await run(printMigrations()[0]?.text ?? '');
  expect(await migrateDatabase({ url: database.url })).toMatchObject({ appliedMigrationNames: [] });
  await expectAsMigrated(database.url);
  await database.drop();
});

test('what fails in the printed SQL leaves nothing behind, and no record', async () => {
  const database = await createTestDatabase({ isMigrated: false });
  await withServer(database.url, async (client) => {
    await client.query('CREATE SCHEMA duework; CREATE TABLE duework.job_keys (x int)');
    await expect(client.query(printMigrations()[0]?.text ?? '')).rejects.toThrow('already exists');
    expect((await client.query(`SELECT to_regclass('duework.migrations') AS t`)).rows).toEqual([{ t: null }]);
  });
  await database.drop();
});

test('the statements of the printed SQL, run one by one, make the same', async () => {
  const database = await createTestDatabase({ isMigrated: false });
  await withServer(database.url, async (client) => {
    for (const statement of splitStatements(printMigrations()[0]?.text ?? '')) await client.query(statement);
  });
  expect(await migrateDatabase({ url: database.url })).toMatchObject({ appliedMigrationNames: [] });
  await expectAsMigrated(database.url);
  await database.drop();
});

test('a person who was there before prints what is new, and somebody who has all prints nothing', () => {
  const before = migrations.at(-2)?.name ?? '';
  const text = printMigrations({ after: before })[0]?.text ?? '';
  expect(text).toContain(`VALUES ('${last}'`);
  expect(text).not.toContain(`VALUES ('${before}'`);
  expect(printMigrations({ after: last })).toEqual([]);
  expect(() => printMigrations({ after: 'nonsense' })).toThrow(
    expect.objectContaining({ code: 'migration_unknown', fix: expect.stringContaining(last) }),
  );
});

test('what can run outside a transaction only is printed so that it runs in one', () => {
  const sql = '-- outside a transaction\nCREATE INDEX CONCURRENTLY a ON duework.job_runs (id);';
  const [file] = printFiles([{ name: '20990101000000_index', sql, checksum: 'x' }], {
    tool: 'prisma',
    at: new Date('2099-01-01T00:00:00Z'),
  });
  expect(file?.path).toBe('20990101000000_duework_index/migration.sql');
  expect(file?.text).toContain('CREATE INDEX a ON duework.job_runs (id);');
});
