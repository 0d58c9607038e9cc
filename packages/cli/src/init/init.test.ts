import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@duework/database/testing';
import { makeProject, type TestProject } from '../testing/make-project.js';
import { runCommand } from '../testing/run-command.js';

const NEEDED = ['duework', 'zod', 'pg', '@types/pg', '@types/node', 'tsx', 'typescript'];

let database: TestDatabase;
let project: TestProject;
beforeEach(async () => {
  database = await createTestDatabase({ isMigrated: false });
});
afterEach(async () => {
  project.remove();
  await database.drop();
});

const init = (...args: string[]): ReturnType<typeof runCommand> =>
  runCommand(['init', '--no-install', ...args], {
    cwd: project.dir,
    // nothing is loaded before the program: Node would look for that by the package.json of the folder, broken or not
    env: { DATABASE_URL: database.url, NODE_OPTIONS: '' },
  });

const npmTest = () =>
  spawnSync('npm', ['test'], { cwd: project.dir, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } });

/** Every file of the project with its text and the moment of its last change. */
function snapshot(): Record<string, string> {
  const paths = readdirSync(project.dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [path, `${statSync(path).mtimeMs} ${readFileSync(path, 'utf8')}`]));
}

test('an empty folder gets what a job needs, and one has run when init ends', async () => {
  project = makeProject({}, NEEDED);
  const first = await init('--yes');
  expect(first.output).toMatch(
    /Job \d+, say_hello {"name":"world"}, has succeeded: its result is {"greeting":"Hello, world!"}\./,
  );
  expect(first.code).toBe(0);
  const written = snapshot();
  expect(
    Object.keys(written)
      .map((path) => path.slice(project.dir.length + 1))
      .sort(),
  ).toEqual([
    '.gitignore',
    'jobs/contracts.ts',
    'jobs/greet.ts',
    'jobs/handlers.ts',
    'jobs/index.ts',
    'jobs/say-hello.test.ts',
    'package.json',
    'tsconfig.jobs.json',
    'tsconfig.json',
    'worker.ts',
  ]);

  const jobOf = (output: string): string | undefined => /Job (\d+)/.exec(output)?.[1];
  const second = await init('--yes');
  expect(second.output).not.toMatch(/^(new|edited|kept) /m);
  expect(snapshot()).toEqual(written);
  expect(jobOf(second.output)).toBe(jobOf(first.output));
});

test('a dry run shows every line, and writes nothing', async () => {
  project = makeProject({ 'package.json': '{\n  "name": "mine"\n}\n' }, NEEDED);
  const before = snapshot();
  const { code, output } = await init('--dry-run');
  expect(output).toContain("  + import { runWorker } from 'duework/worker';");
  expect(output).toContain('  +   "duework": {');
  expect(output).toContain('Nothing was written: this was a dry run.');
  expect(code).toBe(0);
  expect(snapshot()).toEqual(before);
});

test('what a person has written stays, in files and in package.json', async () => {
  const json = {
    name: 'mine',
    type: 'module',
    scripts: { worker: 'node own.js', build: 'tsc' },
    dependencies: { typescript: '7' },
  };
  const own = 'export const mine = 1;\n';
  project = makeProject({ 'package.json': JSON.stringify(json, null, '\t'), 'worker.ts': own }, NEEDED);
  const { output } = await init('--yes');
  expect(output).toContain('kept    worker.ts (it says something else)');
  expect(output).toContain('kept    package.json scripts.worker (it says something else)');
  expect(readFileSync(join(project.dir, 'worker.ts'), 'utf8')).toBe(own);
  const text = readFileSync(join(project.dir, 'package.json'), 'utf8');
  expect(text).toContain('\n\t"scripts": {\n\t\t"worker": "node own.js",\n\t\t"build": "tsc",\n');
  expect(JSON.parse(text)).toEqual({
    ...json,
    scripts: {
      ...json.scripts,
      test: 'node --import tsx --test jobs/*.test.ts',
      'jobs:migrate': 'duework migrate',
      'jobs:dev': 'duework dev',
      'jobs:build': 'tsc -p tsconfig.jobs.json',
      'jobs:start': 'node dist/worker.js',
    },
    duework: { jobs: './jobs/index.ts' },
  });
});

test('npm test runs the test where npm init has left a script that fails, and no other script is touched', async () => {
  const scripts = { test: 'echo "Error: no test specified" && exit 1' };
  project = makeProject({ 'package.json': JSON.stringify({ name: 'mine', type: 'module', scripts }) }, NEEDED);
  await init('--yes');
  const { status, output } = npmTest();
  expect([status, output.join('')]).toEqual([0, expect.stringContaining('# pass 1')]);
  const json = JSON.parse(readFileSync(join(project.dir, 'package.json'), 'utf8')) as { scripts: { test: string } };
  json.scripts.test = 'mine';
  writeFileSync(join(project.dir, 'package.json'), JSON.stringify(json));
  const { output: second } = await init('--yes');
  expect(second).not.toMatch(/^(edited|kept) /m);
});

test('jobs that were written since are not run', async () => {
  project = makeProject({}, NEEDED);
  await init('--yes');
  const contracts = join(project.dir, 'jobs/contracts.ts');
  writeFileSync(contracts, readFileSync(contracts, 'utf8').replace("'say_hello'", "'say_goodbye'"));
  const { code, output } = await init('--yes');
  expect(output).toContain('kept    jobs/contracts.ts');
  expect(output).toContain('No job was run: the jobs are your own by now.');
  expect(code).toBe(0);
});

describe('nothing is written, and one line says why, where', () => {
  test.each([
    ['nobody can be asked', {}, [], 2, /without a terminal, confirm with --yes\.$/],
    [
      'it is the root of a workspace',
      { 'package.json': '{}', 'pnpm-workspace.yaml': 'packages: [apps/*]', 'apps/api/package.json': '{}' },
      ['--yes'],
      1,
      /^This is the root of a workspace\. Say which package enqueues: npx duework init --in apps\/api\. It has apps\/api\.$/,
    ],
    ['package.json is broken', { 'package.json': '{' }, ['--yes'], 1, /^package\.json is not JSON: /],
  ])('%s', async (_, files, args, exitCode, line) => {
    project = makeProject(files as unknown as Record<string, string>, NEEDED);
    const before = snapshot();
    const { code, output } = await init(...args);
    expect(code).toBe(exitCode);
    expect(output.trimEnd().split('\n').at(-1)).toMatch(line);
    expect(snapshot()).toEqual(before);
  });
});

test('a package of a workspace gets its jobs from the root, beside its own .env', async () => {
  const root = {
    'package.json': '{ "workspaces": ["apps/*"] }',
    '.env': 'DATABASE_URL=postgres://nobody@127.0.0.1:1/none\n',
  };
  const api = { 'apps/api/package.json': '{ "name": "api" }', 'apps/api/.env': `DATABASE_URL=${database.url}\n` };
  project = makeProject({ ...root, ...api }, NEEDED);
  const { code, output } = await runCommand(['init', '--yes', '--no-install', '--in', 'apps/api'], {
    cwd: project.dir,
  });
  expect([code, output]).toEqual([0, expect.stringMatching(/has succeeded: .*\nNext, in apps\/api: npm run jobs:dev/)]);
  const written = Object.keys(snapshot()).map((path) => path.slice(project.dir.length + 1));
  expect(written).toContain('apps/api/jobs/handlers.mjs');
  expect(written.filter((path) => path.startsWith('jobs/'))).toEqual([]);
});

describe('the contracts of a workspace stay in the package that keeps them', () => {
  const contracts = {
    name: '@acme/contracts',
    type: 'module',
    exports: './src/index.js',
    dependencies: { '@duework/contracts': '0', zod: '4' },
  };
  const workspace = {
    'package.json': '{ "name": "acme" }',
    'pnpm-workspace.yaml': 'packages:\n  - packages/*\n  - apps/*\n',
    'packages/contracts/package.json': JSON.stringify(contracts),
    'packages/contracts/src/index.js': `export * from './send-receipt.js';\n`,
    'packages/contracts/src/send-receipt.js': 'export const own = 1;\n',
    'apps/worker/package.json': '{ "name": "worker", "type": "module" }',
  };
  const text = (path: string): string => readFileSync(join(project.dir, path), 'utf8');
  const initWorker = (...args: string[]): ReturnType<typeof runCommand> => {
    // as pnpm install does
    const link = join(project.dir, 'node_modules/@acme/contracts');
    mkdirSync(dirname(link), { recursive: true });
    if (!existsSync(link)) symlinkSync(join(project.dir, 'packages/contracts'), link, 'junction');
    return init('--yes', '--in', 'apps/worker', ...args);
  };

  test('which is found, and exports the new one', async () => {
    project = makeProject(workspace, [...NEEDED, '@duework/contracts']);
    const { code, output } = await initWorker();
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/has succeeded: .*\nNext, in apps\/worker: pnpm run jobs:dev/),
    ]);
    expect(text('packages/contracts/src/say-hello.js')).toContain(`import { defineJob } from '@duework/contracts';`);
    expect(text('packages/contracts/src/index.js')).toBe(
      `export * from './send-receipt.js';\nexport * from './say-hello.js';\n`,
    );
    expect(text('apps/worker/jobs/contracts.js')).toContain(`import { sayHello } from '@acme/contracts';`);
    expect(JSON.parse(text('apps/worker/package.json'))).toMatchObject({
      dependencies: { '@acme/contracts': 'workspace:*' },
    });
    const written = snapshot();
    expect((await initWorker()).output).toMatch(/^All \d+ files are there\.$/m);
    expect(snapshot()).toEqual(written);
  });

  test('which may be named', async () => {
    const named = { ...contracts, dependencies: { duework: '0', valibot: '1' } };
    const files = { ...workspace, 'packages/contracts/package.json': JSON.stringify(named) };
    project = makeProject(files, [...NEEDED, 'valibot', '@valibot/to-json-schema']);
    const { code, output } = await initWorker('--contracts', 'packages/contracts');
    expect([code, output]).toEqual([0, expect.stringContaining('has succeeded')]);
    expect(text('packages/contracts/src/say-hello.js')).toContain(`import { toStandardJsonSchema }`);
    expect(text('packages/contracts/src/say-hello.js')).toContain(`import { defineJob } from 'duework';`);
  });

  test('and is built where others import what its build makes', async () => {
    const built = { ...contracts, exports: { '.': { import: './dist/index.js' } }, scripts: { build: 'tsc' } };
    const files = { ...workspace, 'packages/contracts/package.json': JSON.stringify(built) };
    project = makeProject(files, NEEDED);
    const { output } = await initWorker('--dry-run');
    expect(output).toContain('install pnpm --dir ../../packages/contracts run build\n');
    expect(output).not.toMatch(/^install .*zod/m);
  });
});

test('the root of a workspace that has sources of its own gets its jobs itself', async () => {
  const root = { 'package.json': '{ "type": "module", "workspaces": ["apps/*"] }', 'src/server.js': '' };
  project = makeProject({ ...root, 'apps/api/package.json': '{}' }, NEEDED);
  const { code, output } = await init('--yes');
  expect([code, output]).toEqual([0, expect.stringContaining('new     src/jobs/handlers.js')]);
});

describe('what is done is told', () => {
  const LINES = /^Applying \d+ migrations …\nRunning a first job …\n/m;
  const install = {
    'package.json': JSON.stringify({ name: 'mine', dependencies: { pg: '8', zod: '4', duework: '0' } }),
  };

  test('in a few lines', async () => {
    project = makeProject(install, NEEDED);
    expect((await init('--yes')).output).toMatch(LINES);
    expect((await init('--yes')).output).toMatch(/^All \d+ files are there\.\nRunning a first job …\n/m);
  });

  test('in full with --verbose', async () => {
    project = makeProject(install, NEEDED);
    const { output } = await init('--yes', '--verbose');
    expect(output).toMatch(/^Applying \d+_queue \(1 of \d+\) …\n/m);
    expect((await init('--yes', '--verbose')).output).toContain('there   jobs/handlers.mjs');
  });
});

test('without DATABASE_URL the job runs on the embedded PostgreSQL of the project, which is stopped again', async () => {
  project = makeProject({}, [...NEEDED, '@duework/embedded']);
  const { code, output } = await runCommand(['init', '--yes', '--no-install'], { cwd: project.dir });
  expect(output).toContain('has succeeded: its result is {"greeting":"Hello, world!"}.');
  expect(code).toBe(0);
  expect(readdirSync(join(project.dir, '.duework/postgres'))).not.toContain('postmaster.pid');
});

test('without a database it says what is missing', async () => {
  project = makeProject({}, NEEDED);
  const { code, output } = await runCommand(['init', '--yes', '--no-install'], { cwd: project.dir });
  expect(output).toContain('No job was run: DATABASE_URL is not set, and @duework/embedded is not installed.');
  expect(code).toBe(0);
});
