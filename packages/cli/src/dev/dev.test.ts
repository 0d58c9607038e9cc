import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@duework/database/testing';
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

test('a dev that is killed takes its worker with it', async () => {
  const started = startDev();
  await started.waitFor('The worker runs greet.');
  started.kill('SIGKILL');
  // its worker holds the pipes of stdout and stderr open until it has ended
  expect(await started.ended).toBe('SIGKILL');
  expect(started.output()).toMatch(/The worker has stopped\.\n$/);
});

test('without DATABASE_URL it brings a PostgreSQL, tells its address, and stops it again', async () => {
  project.remove();
  project = makeProject(greetingProject(), ['duework', 'zod', 'pg', '@duework/embedded']);
  const started = (dev = startCommand(['dev'], { cwd: project.dir }));
  await started.waitFor('The worker runs greet.');
  const [, url] = /^DATABASE_URL=(.*)$/m.exec(started.output()) ?? [];
  const enqueued = await runCommand(['enqueue', 'greet', '{"name":"Ada"}'], {
    cwd: project.dir,
    env: { DATABASE_URL: url ?? '' },
  });
  expect(enqueued.code).toBe(0);
  await started.waitFor('succeeded in');
  started.kill('SIGINT');
  expect(await started.ended).toBe(0);
  expect(readdirSync(join(project.dir, '.duework/postgres'))).not.toContain('postmaster.pid');
});

test('without a database it says how to get one', async () => {
  const { code, output } = await runCommand(['dev'], { cwd: project.dir });
  expect(output).toBe(
    'DATABASE_URL is not set. Set it, or install a PostgreSQL for development: npm install --save-dev @duework/embedded\n',
  );
  expect(code).toBe(1);
});
