import { connectPg } from '@duework/database';
import { migrateDatabase } from '@duework/database/migrate';
import { withDatabaseName, withServer } from '@duework/database/testing';
import { enqueue } from '@duework/queue-core';
import { echo, useOwnServer } from '@duework/testing/fixtures';
import { beforeAll, expect, test } from '@jest/globals';
import { createProgram } from '../create-program.js';
import { programParts } from '../testing/program-parts.js';
import { tellError } from '../tell-error.js';

/** Without the roles, until one of these tests has made them: roles belong to the server. */
const server = useOwnServer();
/** Makes roles, and is no superuser, as where PostgreSQL is rented; owns the schema; and two who own nothing. */
const LOGINS = { dba: 'CREATEROLE', mig: '', app: '', nobody: '' } as const;
type Login = keyof typeof LOGINS;

const urlOf = (login: Login | 'postgres', database = 'shop'): string => {
  const url = new URL(withDatabaseName(server.url, database));
  if (login !== 'postgres') [url.username, url.password] = [login, 'secret'];
  return url.toString();
};
const asAdmin = (database: string, ...statements: string[]): Promise<void> =>
  withServer(urlOf('postgres', database), async (client) => {
    for (const statement of statements) await client.query(statement);
  });

/** A command as that role: its exit code, and what it said. */
async function run(login: Login, database: string, ...args: string[]): Promise<readonly [number, string]> {
  let [code, out] = [0, ''];
  const databaseUrl = urlOf(login, database);
  const program = createProgram(
    programParts({
      databaseUrl: () => databaseUrl,
      exitWith: (ended) => (code = ended),
      write: (text) => (out += text),
    }),
  );
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    return [1, tellError(error, databaseUrl)];
  }
  return [code, out];
}

beforeAll(async () => {
  for (const [login, may] of Object.entries(LOGINS))
    await asAdmin('postgres', `CREATE ROLE ${login} LOGIN PASSWORD 'secret' ${may}`);
  await asAdmin('postgres', 'CREATE DATABASE shop', 'CREATE DATABASE fresh');
});

test('a role that may not make the schema is told who has to let it, and one that owns the schema migrates', async () => {
  expect(await run('mig', 'shop', 'migrate')).toEqual([
    1,
    expect.stringMatching(
      /^"mig" may not apply migration \d+_queue: permission denied for database shop\. .*GRANT CREATE ON DATABASE "shop" TO "mig"\.$/,
    ),
  ]);
  expect(await run('mig', 'shop', 'roles', '--check', '--for', 'migrate')).toEqual([
    3,
    expect.stringMatching(/migrate\s+no\s+it lacks CREATE on the database\. .* GRANT CREATE ON DATABASE/),
  ]);
  await asAdmin('shop', 'CREATE SCHEMA duework AUTHORIZATION mig');
  expect(await run('mig', 'shop', 'migrate')).toEqual([0, expect.stringContaining('up to date')]);
  expect(await run('mig', 'shop', 'roles', '--check', '--for', 'migrate')).toEqual([0, expect.stringContaining('yes')]);
});

test('nobody but the owner migrates, and is told who that is', async () => {
  const says = /^"nobody" may not migrate "shop": permission denied for schema duework\. Migrate as "mig", which owns/;
  expect(await run('nobody', 'shop', 'migrate')).toEqual([1, expect.stringMatching(says)]);
  expect(await run('nobody', 'shop', 'migrate', '--dry-run')).toEqual([1, expect.stringMatching(says)]);
});

test('the owner without CREATEROLE is told what an administrator runs first, and that is enough', async () => {
  const [code, told] = await run('mig', 'shop', 'roles', '--apply');
  expect([code, told]).toEqual([
    1,
    expect.stringMatching(/^"mig" lacks CREATEROLE, and there is no role duework_app\./),
  ]);
  const [, statements] = /run: ((?:CREATE ROLE \w+; )+)/.exec(told)!;
  await withServer(urlOf('dba'), (client) => client.query(statements!));
  expect(await run('mig', 'shop', 'roles', '--apply')).toEqual([0, expect.stringContaining('have their rights')]);
  // again, and nothing is different
  expect(await run('mig', 'shop', 'roles', '--apply')).toEqual([0, expect.stringContaining('have their rights')]);
  expect(await run('dba', 'shop', 'roles', '--apply')).toEqual([
    1,
    '"dba" may give no rights on the schema duework. The roles are there: run this again as "mig", which owns the schema.',
  ]);
});

test('an administrator gives a role, and says what it lets one do; others are told who can', async () => {
  expect(await run('app', 'shop', 'roles', '--check')).toEqual([
    3,
    expect.stringMatching(/enqueue\s+no\s+it lacks .* and \d+ more rights\. .*roles --grant duework_app --to app/),
  ]);
  expect(await run('mig', 'shop', 'roles', '--grant', 'duework_app', '--to', 'app')).toEqual([
    1,
    expect.stringMatching(/^duework_app cannot be given to "app" by this role: .*GRANT duework_app TO "app";$/),
  ]);
  expect(await run('dba', 'shop', 'roles', '--grant', 'duework_app', '--to', 'app')).toEqual([
    0,
    expect.stringMatching(/^"app"\s+MAY\s+enqueue\s+yes\s+work\s+no/),
  ]);
  expect(await run('app', 'shop', 'roles', '--check')).toEqual([0, expect.stringMatching(/enqueue\s+yes/)]);
  for (const [ability, code] of [
    ['enqueue', 0],
    ['work', 3],
    ['operate', 3],
    ['read', 3],
    ['migrate', 3],
  ] as const)
    expect((await run('nobody', 'shop', 'roles', '--check', 'app', '--for', ability))[0]).toBe(code);
  for (const args of [
    ['--check', 'ghost'],
    ['--grant', 'duework_app', '--to', 'ghost'],
  ])
    expect(await run('dba', 'shop', 'roles', ...args)).toEqual([
      1,
      expect.stringMatching(/^The server has no role "ghost"\. .*CREATE ROLE "ghost"/),
    ]);
});

test('each of the roles may do what it is for', async () => {
  const may = async (role: string): Promise<string> => {
    const [, json] = await run('nobody', 'shop', 'roles', '--check', role, '--json');
    const { abilities } = JSON.parse(json) as { abilities: { ability: string; isAllowed: boolean }[] };
    return abilities.flatMap(({ ability, isAllowed }) => (isAllowed ? [ability] : [])).join(' ');
  };
  expect(await may('duework_app')).toBe('enqueue');
  expect(await may('duework_worker')).toBe('enqueue work read');
  expect(await may('duework_operator')).toBe('enqueue operate read');
  expect(await may('duework_reader')).toBe('read');
  expect(await may('mig')).toBe('enqueue work operate read migrate');
});

test('a migration grants what is new to the roles that are there, so that nobody has to remember it', async () => {
  await asAdmin('fresh', 'GRANT CREATE ON DATABASE fresh TO mig');
  expect(await run('app', 'fresh', 'roles', '--check')).toEqual([3, expect.stringContaining('npx duework migrate')]);
  await migrateDatabase({ url: urlOf('mig', 'fresh') });
  expect((await run('app', 'fresh', 'roles', '--check', '--for', 'enqueue'))[0]).toBe(0);
  const db = connectPg({ url: urlOf('app', 'fresh'), poolSize: 1 });
  expect(await enqueue(db, echo, { n: 1 })).toMatchObject({ isDeduplicated: false });
  await asAdmin('fresh', 'REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA duework FROM duework_app');
  await expect(enqueue(db, echo, { n: 2 })).rejects.toMatchObject({
    code: 'permission_denied',
    message: expect.stringMatching(/It has duework_app, but that role's rights are incomplete here: .*--apply$/),
  });
  await db.$disconnect();
  expect(await run('app', 'fresh', 'roles', '--check', '--for', 'enqueue')).toEqual([
    3,
    expect.stringContaining(
      'duework_app has not all of its rights here. As the owner of the schema run: npx duework roles --apply',
    ),
  ]);
});

test('the SQL is printed without a database, and does the same in psql', async () => {
  let sql = '';
  const program = createProgram(programParts({ write: (text) => (sql += text) }));
  await program.parseAsync(['roles'], { from: 'user' });
  await withServer(urlOf('mig', 'fresh'), (client) => client.query(sql));
  expect((await run('app', 'fresh', 'roles', '--check', '--for', 'enqueue'))[0]).toBe(0);
});

test.each([
  [['--grant', 'duework_app'], /--grant and --to go together/],
  [['--to', 'app'], /--grant and --to go together/],
  [['--for', 'enqueue'], /--for needs --check/],
])('roles %j is refused by a sentence', async (args, says) => {
  expect(await run('mig', 'shop', 'roles', ...args)).toEqual([1, expect.stringMatching(says)]);
});
