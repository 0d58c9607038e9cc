import { randomBytes } from 'node:crypto';
import { connectPg, type PgClient } from '@duework/database';
import { applyRoles } from '@duework/database/migrate';
import { withServer } from '@duework/database/testing';
import { enqueue, pushContracts } from '@duework/queue-core';
import { saveSchedule, due } from '@duework/schedules';
import { catalog, cleanupNightly, sendReceipt } from '@duework/shop';
import { useTestDatabase } from '@duework/testing/fixtures';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createProgram } from '../create-program.js';
import { tellError } from '../tell-error.js';
import { greetingProject } from '../testing/greeting-project.js';
import { makeProject } from '../testing/make-project.js';
import { programParts } from '../testing/program-parts.js';
import { runCommand } from '../testing/run-command.js';

const database = useTestDatabase();
const suffix = randomBytes(4).toString('hex');
const LOGINS = ['none', 'app', 'worker', 'operator', 'reader'] as const;
type Login = (typeof LOGINS)[number];
const nameOf = (login: Login): string => `${login}_${suffix}`;
const urlOf = (login: Login): string =>
  Object.assign(new URL(database.url), { username: nameOf(login), password: suffix }).toString();
const clients = new Map<Login, PgClient>();

beforeAll(async () => {
  await applyRoles({ url: database.url });
  await withServer(database.url, async (owner) => {
    for (const login of LOGINS) {
      const of = login === 'none' ? '' : `IN ROLE duework_${login}`;
      await owner.query(`CREATE ROLE ${nameOf(login)} LOGIN PASSWORD '${suffix}' ${of}`);
      clients.set(login, connectPg({ url: urlOf(login), poolSize: 2 }));
    }
  });
  await pushContracts(database.db, catalog);
  const payload = { day: due.date() };
  await saveSchedule(database.db, cleanupNightly, { key: 'nightly', cron: '0 2 * * *', payload });
});
afterAll(async () => {
  for (const client of clients.values()) await client.$disconnect();
  // the file's own database, and so what was granted in it, is gone by now
  await withServer(Object.assign(new URL(database.url), { pathname: '/postgres' }).toString(), async (server) => {
    for (const login of LOGINS) await server.query(`DROP ROLE ${nameOf(login)}`);
  });
});

const receipt = () => ({ receiptId: randomBytes(4).toString('hex'), email: 'a@b.cd', amountCents: 1, currency: 'EUR' });

/** What the verb said, or its refusal. */
async function run(login: Login, line: string): Promise<{ isDone: boolean; said: string }> {
  let said = '';
  const url = urlOf(login);
  const db = async (): Promise<PgClient> => clients.get(login)!;
  const parts = programParts({ db, databaseUrl: () => url, catalog, write: (text) => (said += text) });
  const { id } = line.includes('JOB') ? await enqueue(database.db, sendReceipt, receipt()) : { id: '' };
  const words = line.replace('JOB', id).replace('PAYLOAD', JSON.stringify(receipt())).replace('LOGIN', login);
  try {
    await createProgram(parts).parseAsync(words.split(' '), { from: 'user' });
    return { isDone: true, said };
  } catch (error) {
    return { isDone: false, said: tellError(error, url) };
  }
}

/** Each verb, and who may; whoever may not is told which role could. */
describe.each<[string, readonly Login[]]>([
  ['enqueue send_receipt PAYLOAD', ['app', 'worker', 'operator']],
  ['migrate --dry-run', ['app', 'worker', 'operator', 'reader']],
  ['migrate status', ['app', 'worker', 'operator', 'reader']],
  ['status', ['worker', 'operator']],
  ['workers', ['worker', 'operator', 'reader']],
  ['jobs', ['worker', 'operator']],
  ['jobs --count', ['worker', 'operator', 'reader']],
  ['show JOB', ['worker', 'operator']],
  ['explain JOB', ['worker', 'operator']],
  ['update JOB --priority 3', ['worker', 'operator']],
  ['cancel JOB', ['worker', 'operator']],
  ['retry JOB', ['worker', 'operator']],
  ['bulk change-priority status:queued --to 3 --dry-run', ['worker', 'operator']],
  ['bulk change-priority status:queued --to 3 --yes', ['operator']],
  ['bulk list', ['worker', 'operator']],
  ['pause queue slow', ['operator']],
  ['resume queue slow', ['worker', 'operator']],
  ['batches list', ['worker', 'operator', 'reader']],
  ['flow list', ['worker', 'operator', 'reader']],
  ['schedules', ['worker', 'operator']],
  ['schedules due-times', ['worker', 'operator', 'reader']],
  ['schedules trigger nightly', ['worker', 'operator']],
  ['keys list', ['operator']],
  ['keys create --name LOGIN --scope read', ['operator']],
  ['audit', ['worker', 'operator', 'reader']],
  ['contracts push', ['worker', 'operator']],
  ['origin', ['worker', 'operator', 'reader']],
  ['origin moved', ['operator']],
  ['origin empty --even-here --yes', ['operator']],
])('duework %s', (line, may) => {
  test.each(LOGINS)('by %s', async (login) => {
    const { isDone, said } = await run(login, line);
    expect({ isDone, said }).toEqual({ isDone: may.includes(login), said: expect.any(String) });
    if (!isDone) {
      expect(said).toMatch(new RegExp(`^"${nameOf(login)}" may not .*: permission denied for \\w+ \\w+\\. `));
      expect(said).toMatch(
        new RegExp(`roles --grant duework_\\w+ --to ${nameOf(login)}|Migrate as "\\w+", which owns`),
      );
      // one of those who may is named
      expect(said).toMatch(
        new RegExp(`${may.map((role) => `duework_${role} \\(|--grant duework_${role} `).join('|')}|Migrate as`),
      );
    }
  });
});

test('the doctor says which checks a role may not make, and who would let it', async () => {
  expect((await run('none', 'doctor')).said).toMatch(
    new RegExp(`check_not_allowed\\n.*permission denied.*\\n.*roles --grant duework_reader --to ${nameOf('none')}`),
  );
  // who has which keys is for operators
  const refused = async (login: Login) =>
    [...(await run(login, 'doctor')).said.matchAll(/The check of (\w+)/g)].map(([, name]) => name);
  expect(await refused('reader')).toEqual(['keys']);
  expect(await refused('operator')).toEqual([]);
});

test('the command of a project enqueues as an application, and says what that may not do', async () => {
  const project = makeProject(greetingProject(), ['duework', 'zod', 'pg']);
  const command = (...args: string[]) =>
    runCommand(args, { cwd: project.dir, env: { DATABASE_URL: urlOf(args[0] === 'jobs' ? 'none' : 'app') } });
  try {
    expect(await command('enqueue', 'greet', '{"name":"Ada"}')).toEqual({
      code: 0,
      output: expect.stringMatching(/^Job \d+ is enqueued/),
    });
    expect(await command('jobs')).toEqual({
      code: 1,
      output: expect.stringMatching(
        new RegExp(
          `^"${nameOf('none')}" may not do this: .* --grant duework_operator --to ${nameOf('none')}\\n\\S+#permission_denied\\n$`,
        ),
      ),
    });
    expect(await command('worker', '--once')).toEqual({
      code: 1,
      output: expect.stringContaining(`--grant duework_worker --to ${nameOf('app')}`),
    });
  } finally {
    project.remove();
  }
});
