import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase, withServer } from '@duework/database/testing';
import { greetingProject } from '../testing/greeting-project.js';
import { makeProject, type TestProject } from '../testing/make-project.js';
import { runCommand, startCommand, type StartedCommand } from '../testing/run-command.js';

let database: TestDatabase;
let project: TestProject;
let dev: StartedCommand | undefined;
beforeEach(async () => {
  database = await createTestDatabase({ isMigrated: false });
  project = makeProject(greetingProject(), ['duework', 'zod', 'pg']);
});
afterEach(async () => {
  dev?.kill('SIGKILL');
  await dev?.ended;
  dev = undefined;
  project.remove();
  await database.drop();
});

const run = (...args: string[]): ReturnType<typeof runCommand> =>
  runCommand(args, { cwd: project.dir, env: { DATABASE_URL: database.url } });
const startDev = (): StartedCommand =>
  (dev = startCommand(['dev'], { cwd: project.dir, env: { DATABASE_URL: database.url } }));
const greet = async (name: string): Promise<string> => {
  const { output } = await run('enqueue', 'greet', JSON.stringify({ name }));
  return /Job (\d+) is enqueued/.exec(output)?.[1] ?? output;
};
const result = async (id: string): Promise<unknown> =>
  (JSON.parse((await run('show', id, '--json')).output) as { job: { result: unknown } }).job.result;

test('dev migrates, runs jobs with a line for each, and runs the new code after a change', async () => {
  const started = startDev();
  await started.waitFor('The worker runs greet.');
  const first = await greet('Ada');
  await started.waitFor(`greet ${first} succeeded`);
  writeFileSync(join(project.dir, 'jobs.js'), greetingProject('Moin')['jobs.js']!);
  await started.waitFor('jobs.js has changed.');
  await started.waitFor('The worker runs greet.', 2);
  const second = await greet('Ada');
  await started.waitFor(`greet ${second} succeeded`);
  expect([await result(first), await result(second)]).toEqual(['Hello Ada', 'Moin Ada']);
  started.kill('SIGINT');
  expect(await started.ended).toBe(0);
  expect(started.output()).toMatch(/The worker has stopped\.\n$/);
});

test('a program that does not load is told, and the worker comes back when it is mended', async () => {
  const started = startDev();
  await started.waitFor('The worker runs greet.');
  writeFileSync(join(project.dir, 'jobs.js'), 'export const catalog = (');
  await started.waitFor('The worker has ended with exit code 1; it starts again when a file changes.');
  writeFileSync(join(project.dir, 'jobs.js'), greetingProject()['jobs.js']!);
  await started.waitFor('The worker runs greet.', 2);
  started.kill('SIGTERM');
  expect(await started.ended).toBe(0);
});

test('a worker whose database is dropped and made anew starts again, on a migrated one', async () => {
  const started = startDev();
  await started.waitFor('The worker runs greet.');
  await greet('Ada');
  await started.waitFor('succeeded in');
  await withServer(database.url, async (client) => void (await client.query('DROP SCHEMA duework CASCADE')));
  expect((await run('migrate')).code).toBe(0);
  await started.waitFor('The database was made anew.');
  await started.waitFor('The worker runs greet.', 2);
  const id = await greet('Bea');
  await started.waitFor('succeeded in', 2);
  expect(await result(id)).toBe('Hello Bea');
});

test('a dev that is killed takes its worker with it', async () => {
  const started = startDev();
  await started.waitFor('The worker runs greet.');
  started.kill('SIGKILL');
  // its worker holds the pipes of stdout and stderr open until it has ended
  expect(await started.ended).toBe('SIGKILL');
  expect(started.output()).toMatch(/The worker has stopped\.\n$/);
});

test('without DATABASE_URL it brings a PostgreSQL that other commands of the folder find, unseen by git, and stops it again', async () => {
  project.remove();
  project = makeProject(greetingProject(), ['duework', 'zod', 'pg', '@duework/embedded']);
  const started = (dev = startCommand(['dev'], { cwd: project.dir }));
  await started.waitFor('The worker runs greet.');
  const enqueued = await runCommand(['enqueue', 'greet', '{"name":"Ada"}'], { cwd: project.dir });
  expect(enqueued.output).toMatch(/^DATABASE_URL is not set; using the PostgreSQL that runs here, 127\.0\.0\.1:/);
  expect(enqueued.code).toBe(0);
  expect(readFileSync(join(project.dir, '.duework/.gitignore'), 'utf8')).toBe('*\n');
  await started.waitFor('succeeded in');
  started.kill('SIGINT');
  expect(await started.ended).toBe(0);
  expect(readdirSync(join(project.dir, '.duework/postgres'))).not.toContain('postmaster.pid');
  const { code, output } = await runCommand(['status'], { cwd: project.dir });
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(
      /^DATABASE_URL is not set, nor PGHOST and PGDATABASE, and no duework dev runs here\. Start one/,
    ),
  ]);
});

test('the console is offered, and served to this machine where @duework/http is installed', async () => {
  const without = startDev();
  await without.waitFor('For the console beside it: npm install --save-dev @duework/http');
  without.kill('SIGINT');
  expect(await without.ended).toBe(0);

  project.remove();
  project = makeProject(greetingProject(), ['duework', 'zod', 'pg', '@duework/http']);
  const started = startDev();
  await started.waitFor('/console\n');
  const [, address] = /^Console: (\S+)$/m.exec(started.output()) ?? [];
  const asked = (path: string): Promise<number> =>
    fetch(new URL(path, address)).then(
      ({ status }) => status,
      () => 0,
    );
  await waitForAnswer(() => asked('/console'));
  expect(await asked('/v1/queues')).toBe(200);
  started.kill('SIGINT');
  expect(await started.ended).toBe(0);
  expect(await asked('/console')).toBe(0);
});

/** Its process listens as soon as it has started. */
async function waitForAnswer(ask: () => Promise<number>): Promise<void> {
  while ((await ask()) === 0) await setImmediate();
}

test('without a database it says how to get one', async () => {
  const { code, output } = await runCommand(['dev'], { cwd: project.dir });
  expect(output).toBe(
    'DATABASE_URL is not set, nor PGHOST and PGDATABASE. Set either, or install a PostgreSQL for development: npm install --save-dev @duework/embedded\n',
  );
  expect(code).toBe(1);
});
