import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase, openGate, type TestDatabase } from '@duework/database/testing';
import { greetingProject } from './testing/greeting-project.js';
import { makeProject, type TestProject } from './testing/make-project.js';
import { DOCS } from './docs.js';
import { commandPath, runCommand, startCommand } from './testing/run-command.js';

let database: TestDatabase;
let project: TestProject;
beforeEach(async () => {
  database = await createTestDatabase({ isMigrated: false });
  project = makeProject(greetingProject(), ['duework', 'zod', 'pg']);
});
afterEach(async () => {
  project.remove();
  await database.drop();
});

/** The exit code, and what was written. */
async function run(...args: string[]): Promise<readonly [number | string, string]> {
  const { code, output } = await runCommand(args, { cwd: project.dir, env: { DATABASE_URL: database.url } });
  return [code, output];
}

test('migrate status tells a database that is not migrated by its exit code, and migrate migrates it once', async () => {
  expect(await run('migrate', 'status')).toEqual([
    3,
    expect.stringMatching(/ missing\n\n.* is not: run npx duework migrate\.\n$/),
  ]);
  expect(await run('migrate', '--dry-run')).toEqual([
    0,
    expect.stringMatching(/^\S+ lacks \d+ migrations; nothing was changed\.\n$/),
  ]);
  expect((await run('migrate', 'status', '--json'))[0]).toBe(3);
  expect((await run('migrate', '--dry-run', '--verbose'))[1]).toMatch(/^(\d+_\w+\n)+\S+ lacks \d+ migrations; /);
  expect(await run('migrate')).toEqual([
    0,
    expect.stringMatching(/^Applying (\d+) migrations …\n\S+: applied \1 migrations, up to date\.\n$/),
  ]);
  expect(await run('migrate')).toEqual([
    0,
    expect.stringMatching(/^127\.0\.0\.1:\d+\/\w+ is up to date \(\d+ migrations\)\.\n$/),
  ]);
  const [code, json] = await run('migrate', 'status', '--json');
  expect([code, JSON.parse(json)]).toEqual([0, expect.objectContaining({ isUsable: true, missing: [] })]);
});

test('the SQL of the migrations is printed, or becomes migrations of another tool, once', async () => {
  const [, sql] = await run('migrate', 'sql');
  expect(sql).toContain('CREATE SCHEMA');
  const [, name] = /^-- (\S+), printed/m.exec(sql) ?? [];
  expect((await run('migrate', 'sql', '--after', name ?? ''))[1].length).toBeLessThan(sql.length);
  expect(await run('migrate', 'sql', '--after', 'none')).toEqual([
    1,
    expect.stringMatching(/^There is no migration "none"\./),
  ]);
  const [, written] = await run('migrate', 'sql', '--prisma');
  const files = [...written.matchAll(/^wrote (.*)$/gm)].map(([, path]) => join(project.dir, path!));
  expect(files.length).toBeGreaterThan(0);
  expect(files.every((file) => existsSync(file))).toBe(true);
  expect(readFileSync(files[0]!, 'utf8')).toContain('CREATE SCHEMA');
  expect(await run('migrate', 'sql', '--prisma')).toEqual([0, 'prisma/migrations has them all.\n']);
  expect(await run('migrate', 'sql', '--prisma', '--knex')).toEqual([
    2,
    expect.stringContaining('cannot be used with'),
  ]);
});

test('a job is enqueued, run, looked at, cancelled and retried', async () => {
  await run('migrate');
  const [, first] = await run('enqueue', 'greet', '{"name":"Ada"}', '--key', 'ada');
  const id = /^Job (\d+) is enqueued\.\n$/.exec(first)?.[1] ?? '';
  expect(await run('enqueue', 'greet', '{"name":"Ada"}', '--key', 'ada')).toEqual([
    0,
    `Job ${id} has this key already.\n`,
  ]);
  expect(await run('cancel', id, '--reason', 'not now')).toEqual([0, `Job ${id} is cancelled.\n`]);
  expect(await run('show', id)).toEqual([
    0,
    expect.stringMatching(/^status +cancelled, .*\n(.*\n)*cancelled +not now\n/m),
  ]);
  expect(await run('retry', id)).toEqual([0, `Job ${id} runs again.\n`]);
  const [code, lines] = await run('worker', '--once', '--lines');
  expect(code).toBe(0);
  expect(lines).toContain(`greet ${id} succeeded in`);
  expect(await run('jobs', 'status:succeeded')).toEqual([
    0,
    expect.stringMatching(new RegExp(`^JOB .*\n${id} +greet +succeeded +1/10 `)),
  ]);
  expect(await run('jobs', 'status:dead')).toEqual([0, 'No job matches.\n']);
  expect(await run('cancel', id)).toEqual([
    1,
    `Job ${id} has succeeded; only a job that has not ended can be cancelled.\n${DOCS}/look-up/errors.md#transition_not_allowed\n`,
  ]);
});

describe('one line says what is wrong, without a stack', () => {
  test.each([
    [
      'a database that is not migrated',
      ['jobs'],
      /^The database lacks (\d+) of \1 migrations\. Run: npx duework migrate\n$/,
    ],
    ['a payload that is no JSON', ['enqueue', 'greet', '{'], /^The payload is not JSON: .*\n$/],
    [
      'a number that would become another one',
      ['enqueue', 'greet', '{"a":{"n":9007199254740993}}'],
      /^The number at a\.n has more digits than are kept\. Write it as text: .*\n$/,
    ],
    [
      'a type that is not in the catalog',
      ['enqueue', 'great', '{}'],
      /^There is no job type "great"\. Known: greet\. Correct it, or add its contract to the catalog\.\n\S+errors\.md#unknown_job_type\n$/,
    ],
    [
      'a module that is not there',
      ['--jobs', 'none.js', 'worker'],
      /none\.js does not exist; it is named by --jobs none\.js\.\n$/,
    ],
    ['--max-runtime alone', ['worker', '--max-runtime', '5s'], /^--max-runtime goes with --once\.\n$/],
  ])('%s', async (title, args, line) => {
    const [code, output] = await run(...args);
    expect([code, output]).toEqual([title === 'a payload that is no JSON' ? 2 : 1, expect.stringMatching(line)]);
    // and where its code is documented
    const [, ...further] = output.trimEnd().split('\n');
    expect(further).toEqual(title.startsWith('a type') ? [expect.stringMatching(/^https:/)] : []);
  });

  test('a module without handlers, for a worker', async () => {
    const other = makeProject({ 'jobs.js': 'exports.catalog = [];' });
    const { code, output } = await runCommand(['worker', './jobs.js'], {
      cwd: other.dir,
      env: { DATABASE_URL: database.url },
    });
    other.remove();
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/jobs\.js exports no handlers\. Add: export const handlers/),
    ]);
  });
});

test('a field of the filter that is written as an option is refused with how it is written', async () => {
  const [code, output] = await run('jobs', '--status', 'dead');
  expect([code, output]).toEqual([
    2,
    expect.stringContaining("unknown option '--status'; a filter is written without dashes: status:…"),
  ]);
});

test('DATABASE_URL is read from .env of the working directory', async () => {
  const other = makeProject({ '.env': `DATABASE_URL=${database.url}\n` });
  const { code, output } = await runCommand(['migrate'], { cwd: other.dir });
  other.remove();
  expect([code, output]).toEqual([0, expect.stringMatching(/up to date\.\n$/)]);
});

test('a reader that has seen enough is no error', async () => {
  const piped = 'set -o pipefail; "$0" "$1" migrate sql | head -n 1';
  const child = spawn('bash', ['-c', piped, process.execPath, commandPath], {
    cwd: project.dir,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stdout.resume();
  child.stderr.on('data', (text) => (stderr += String(text)));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect([code, stderr]).toEqual([0, '']);
});

test('migrate waits for a database that is not there yet, and takes it from PGHOST and its siblings', async () => {
  const gate = await openGate(database.url);
  const { hostname, port, username, password, pathname } = new URL(gate.url);
  const variables = { PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password };
  const migrating = startCommand(['migrate'], {
    cwd: project.dir,
    env: { ...variables, PGDATABASE: pathname.slice(1) },
  });
  await migrating.waitFor('Waiting up to 60 s: Cannot reach PostgreSQL at ');
  await gate.open();
  expect(await migrating.ended).toBe(0);
  expect(migrating.output()).toMatch(/nothing answers there\.\nApplying \d+ migrations …\n.* up to date\.\n$/);
  gate.close();
});

test('without a wait, a database that is not there is one line; a wrong wait is one, too', async () => {
  const { url } = await openGate(database.url);
  const migrate = (wait: string) =>
    runCommand(['migrate'], { cwd: project.dir, env: { DATABASE_URL: url, DATABASE_WAIT_MS: wait } });
  expect(await migrate('0')).toMatchObject({ code: 1, output: expect.stringMatching(/^Cannot reach .*\n$/) });
  expect(await migrate('soon')).toMatchObject({
    code: 1,
    output: 'DATABASE_WAIT_MS must be a whole number from 0 to 86400000, but it is "soon".\n',
  });
});

test('a worker that npx has started stops when npx is told to stop, which passes nothing on', async () => {
  await run('migrate');
  const { PATH = '', HOME = '' } = process.env;
  const npx = spawn('npm', ['exec', '--offline', '-c', `${process.execPath} ${commandPath} worker`], {
    cwd: project.dir,
    env: { PATH, HOME, DATABASE_URL: database.url, WORKER_PORT: 'none' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let lines = '';
  const ended = new Promise((resolve) => npx.once('close', resolve));
  await new Promise<void>((started) => {
    npx.stdout.setEncoding('utf8').on('data', (text: string) => {
      lines += text;
      if (lines.includes('worker.started')) started();
    });
  });
  npx.kill('SIGTERM');
  // the worker has the other end of the pipe
  await ended;
  expect(lines).toContain('worker.stopped');
});

test('Ctrl-C ends the wait of migrate and of dev', async () => {
  const { url } = await openGate(database.url);
  for (const [verb, code] of [
    ['migrate', 'SIGTERM'],
    ['dev', 0],
  ] as const) {
    const waiting = startCommand([verb], { cwd: project.dir, env: { DATABASE_URL: url } });
    await waiting.waitFor('Waiting up to 60 s');
    waiting.kill('SIGTERM');
    expect(await waiting.ended).toBe(code);
  }
});
