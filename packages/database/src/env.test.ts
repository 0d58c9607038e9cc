import { userInfo } from 'node:os';
import { expect, test } from '@jest/globals';
import { checkDatabase } from './check-database.js';
import { connectPg } from './connect-pg.js';
import { readPgVariables } from './env.js';
import { parseDatabaseUrl } from './parse-database-url.js';
import { createTestDatabase } from './testing/create-test-database.js';

const me = userInfo().username;

test.each([
  [{ PGHOST: 'db', PGUSER: 'ana', PGDATABASE: 'shop' }, 'postgres://ana@db/shop'],
  [
    { PGHOST: 'db', PGPORT: '6432', PGUSER: 'ana', PGPASSWORD: 'p@s/s:w%' },
    'postgres://ana:p%40s%2Fs%3Aw%25@db:6432/ana',
  ],
  [{ PGDATABASE: 'shop' }, `postgres://${me}@localhost/shop`],
  [{ PGHOST: '::1', PGPORT: '5433', PGUSER: 'ana' }, 'postgres://ana@[::1]:5433/ana'],
  [{ PGHOST: 'a,b', PGPORT: '1,2', PGUSER: 'ana' }, 'postgres://ana@a:1,b:2/ana'],
  [{ PGHOST: 'a, b', PGPORT: '6432', PGUSER: 'ana' }, 'postgres://ana@a:6432,b:6432/ana'],
  [
    { PGHOST: '/var/run/postgresql', PGPORT: '5433', PGUSER: 'ana' },
    'postgres://ana@localhost:5433/ana?host=%2Fvar%2Frun%2Fpostgresql',
  ],
  [
    { PGHOST: 'db', PGUSER: 'ana', PGSSLMODE: 'verify-full', PGSSLROOTCERT: '/ca.pem', PGOPTIONS: '-c jit=off' },
    'postgres://ana@db/ana?sslmode=verify-full&sslrootcert=%2Fca.pem&options=-c%20jit%3Doff',
  ],
  [{ PGHOST: 'a,b', PGUSER: 'ana', PGTARGETSESSIONATTRS: 'any' }, 'postgres://ana@a,b/ana?target_session_attrs=any'],
])('%j stand for %s', (variables, url) => {
  expect(readPgVariables(variables)).toBe(url);
  expect(() => parseDatabaseUrl(url)).not.toThrow();
});

test('without PGHOST and PGDATABASE there is no database: the others say only how to come in', () => {
  expect(readPgVariables({ PGUSER: 'ana', PGPASSWORD: 'secret', PGPORT: '5433', PGHOST: '' })).toBeUndefined();
});

test('the database of such variables is found', async () => {
  const database = await createTestDatabase();
  const { hostname, port, username, password } = new URL(database.url);
  const url = readPgVariables({
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: database.name,
    PGSSLMODE: 'prefer',
  })!;
  const db = connectPg({ url, poolSize: 1 });
  await checkDatabase(db, url);
  await db.$disconnect();
  await database.drop();
});
