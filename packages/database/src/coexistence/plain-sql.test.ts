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
  // and once only
  await expect(withServer(database.url, (client) => client.query(file?.text ?? ''))).rejects.toThrow('already exists');
  await expectAsMigrated(database.url);
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
