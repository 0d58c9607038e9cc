import { connectPg, type PgClient } from '@duework/database';
import { createTestDatabase, type TestDatabase, withServer } from '@duework/database/testing';
import { claim, echo } from '@duework/testing/fixtures';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { enqueue } from '../../enqueue/enqueue.js';
import { takeChores } from './take-chores.js';

const PERIODS = 6;

let database: TestDatabase;
let db: PgClient;
let role: string;
beforeEach(async () => {
  database = await createTestDatabase();
  role = `worker_${database.name}`;
  // of other roles' sessions it does not see since when they last: the samples of transactions say so
  await query(
    `CREATE ROLE ${role} LOGIN PASSWORD 'x'`,
    `GRANT USAGE ON SCHEMA duework TO ${role}`,
    `GRANT ALL ON ALL TABLES IN SCHEMA duework TO ${role}`,
    `GRANT ALL ON ALL FUNCTIONS IN SCHEMA duework TO ${role}`,
    `GRANT ALL ON ALL SEQUENCES IN SCHEMA duework TO ${role}`,
  );
  const url = new URL(database.url);
  [url.username, url.password] = [role, 'x'];
  db = connectPg({ url: String(url), poolSize: 1 });
});
afterEach(async () => {
  await db.$disconnect();
  await query(`DROP OWNED BY ${role}`, `DROP ROLE ${role}`);
  await database.drop();
});

const query = (...statements: string[]): Promise<void> =>
  withServer(database.url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });

/** Asks for the chores in a period of a millisecond, which is another one than that of the question before. */
const take = async (): Promise<readonly string[]> =>
  (
    await takeChores(
      db,
      ['depth', 'prune [30]', 'alerts'].map((name) => ({ name, everyMs: 1 })),
    )
  ).taken.toSorted();

test('while an old snapshot lasts, samples and prunes come in one of six periods, and jobs go on', async () => {
  const all = ['alerts', 'depth', 'prune [30]'];
  expect(await take()).toEqual(all);
  await withServer(database.url, async (pin) => {
    await pin.query('BEGIN; CREATE TEMP TABLE pinned ()');
    expect(await take()).toEqual(all);
    await query(
      `INSERT INTO duework.xid_samples (seen_at, xid) SELECT now() - interval '301 seconds', pg_current_xact_id()::xid`,
    );
    for (const round of [1, 2]) {
      for (let n = 1; n < PERIODS; n++) expect([round, n, await take()]).toEqual([round, n, ['alerts']]);
      expect(await take()).toEqual(all);
    }
    expect(await take()).toEqual(['alerts']);
    const { id } = await enqueue(db, echo, { n: 1 });
    expect(await claim(db, 1)).toMatchObject([{ id }]);
    await pin.query('COMMIT');
  });
  expect(await take()).toEqual(all);
});
