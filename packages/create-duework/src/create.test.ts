import { execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { installDuework } from '@duework/cli/testing';
import { createTestDatabase, type TestDatabase } from '@duework/database/testing';
import { openBrowser } from './testing/open-browser.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const binOf = (name: string, path: string): string =>
  join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), path);

const { version: release } = JSON.parse(readFileSync(join(root, 'packages/create-duework/package.json'), 'utf8')) as {
  version: string;
};

let parent: string;
let dir: string;
let database: TestDatabase;
beforeAll(async () => {
  parent = realpathSync(mkdtempSync(join(tmpdir(), 'create-duework-')));
  dir = join(parent, 'my-app');
  database = await createTestDatabase({ isMigrated: false });
});
afterAll(async () => {
  rmSync(parent, { recursive: true, force: true });
  await database.drop();
});

/** Exit code, and what was written. */
function run(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly [number, string]> {
  const { PATH = '', HOME = '' } = process.env;
  return new Promise((resolve) =>
    execFile(process.execPath, args, { cwd, env: { PATH, HOME, ...env } }, (error, stdout, stderr) =>
      resolve([error === null ? 0 : Number(error.code), stdout + stderr]),
    ),
  );
}

function link(name: string, target: string): void {
  mkdirSync(dirname(join(dir, 'node_modules', name)), { recursive: true });
  symlinkSync(realpathSync(target), join(dir, 'node_modules', name), 'junction');
}

test('a monorepo is written whose packages have the name of its folder', async () => {
  expect(await run([main, 'my-app'], parent)).toEqual([
    0,
    expect.stringContaining('cd my-app\n  pnpm install\n  pnpm start'),
  ]);
  expect(JSON.parse(readFileSync(join(dir, 'apps/api/package.json'), 'utf8'))).toMatchObject({
    name: '@my-app/api',
    // the release that wrote it, so that it finds what was published with it
    dependencies: { '@my-app/jobs': 'workspace:*', duework: `^${release}` },
  });
  expect(existsSync(join(dir, '.gitignore'))).toBe(true);
  expect(await run([main, 'my-app'], parent)).toEqual([
    1,
    expect.stringMatching(/my-app is not empty: it has .*npx duework init\n$/),
  ]);
});

test('it compiles, and its own tests pass: an API enqueues in its transaction, and a worker does the job', async () => {
  for (const [name, path] of [
    ['api', 'apps/api'],
    ['worker', 'apps/worker'],
    ['jobs', 'packages/jobs'],
    ['db', 'packages/db'],
  ] as const)
    link(`@my-app/${name}`, join(dir, path));
  for (const name of [
    '@hono/node-server',
    '@prisma/adapter-pg',
    '@prisma/client',
    '@types/pg',
    'hono',
    'pg',
    'prisma',
    'tsx',
    'zod',
  ])
    link(name, join(root, 'packages/create-duework/node_modules', name));
  for (const name of ['@types/node', 'typescript']) link(name, join(root, 'node_modules', name));
  installDuework(dir);
  link('@duework/embedded', join(root, 'packages/embedded'));
  // a copy of what users get, beside what it depends on
  cpSync(join(root, 'packages/http/dist/publish'), join(dir, 'node_modules/@duework/http'), { recursive: true });
  for (const name of ['@hono/zod-openapi', 'jose', 'oauth4webapi', 'prom-client'])
    link(name, join(root, 'packages/http/node_modules', name));

  // every command of Prisma wants an engine, and generate does not use it: any program will do
  const prisma = [
    '--require',
    join(root, 'packages/database/scripts/without-studio.cjs'),
    binOf('prisma', 'build/index.js'),
  ];
  const engine = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath };
  expect((await run([...prisma, 'generate'], join(dir, 'packages/db'), engine))[0]).toBe(0);

  for (const folder of ['packages/jobs', 'packages/db', 'apps/worker', 'apps/api'])
    expect([folder, ...(await run([binOf('typescript', 'bin/tsc'), '-p', '.'], join(dir, folder)))]).toEqual([
      folder,
      0,
      '',
    ]);
  const [code, output] = await run(['--import', 'tsx', '--test', 'src/users.test.ts'], join(dir, 'apps/api'), {
    TEST_DATABASE_URL: database.url,
  });
  expect([code, output]).toEqual([0, expect.stringContaining('# pass 4')]);
});

test("/console of its API is the queue's page, signed in while it is developed", async () => {
  const { PATH = '', HOME = '' } = process.env;
  const api = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    cwd: join(dir, 'apps/api'),
    env: { PATH, HOME, DATABASE_URL: database.url, NODE_ENV: 'development', PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(api, 'exit');
  const browser = await openBrowser();
  try {
    const [line] = (await once(api.stdout.setEncoding('utf8'), 'data')) as [string];
    const page = await browser.newPage();
    await page.goto(/console: (\S+)/.exec(line)![1]!);
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    // the job that its own test has made
    await page.getByRole('row').filter({ hasText: 'welcome_user' }).waitFor();
    // while the page follows the queue
    api.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  } finally {
    await browser.close();
    api.kill('SIGKILL');
  }
});
