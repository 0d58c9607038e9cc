import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import { makeProject, type TestProject } from '../testing/make-project.js';
import { runCommand } from '../testing/run-command.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
const ALWAYS = ['duework', '@types/node', 'tsx', 'pg', '@types/pg'];

const made: TestProject[] = [];
afterEach(() => made.splice(0).forEach((project) => project.remove()));

interface Given {
  readonly packages?: readonly string[];
  /** What stands behind a name. */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly json?: object;
  /** undefined: there is no such file. */
  readonly files?: Readonly<Record<string, string | undefined>>;
}

const NODENEXT = {
  compilerOptions: { target: 'es2022', module: 'nodenext', strict: true, skipLibCheck: true, types: ['node'] },
};

/** A project that depends on the packages, after init. */
async function initiated({ packages = [], aliases = {}, json = {}, files = {} }: Given): Promise<string> {
  const dependencies = Object.fromEntries(packages.map((name) => [name, '*']));
  const project = makeProject(
    {
      'package.json': JSON.stringify({ name: 'app', type: 'module', dependencies, ...json }),
      'tsconfig.json': JSON.stringify(NODENEXT),
      ...files,
    },
    [...new Set([...ALWAYS, 'zod', ...packages])],
    aliases,
  );
  made.push(project);
  const { code, output } = await runCommand(['init', '--yes', '--no-install'], { cwd: project.dir });
  expect([code, output]).toEqual([0, expect.stringContaining('Next: ')]);
  return project.dir;
}

/** What a program writes in a folder, and its exit code. */
function run(dir: string, args: readonly string[]): Promise<readonly [number, string]> {
  const { PATH } = process.env;
  return new Promise((resolve) =>
    execFile(process.execPath, args, { cwd: dir, env: { PATH } }, (error, stdout, stderr) =>
      resolve([error === null ? 0 : Number(error.code), stdout + stderr]),
    ),
  );
}

const typecheck = (dir: string): ReturnType<typeof run> => run(dir, [tsc, '--noEmit', '-p', '.']);

describe('what init writes compiles', () => {
  const clients: readonly (readonly [string, Given])[] = [
    ['pg', { packages: ['pg'] }],
    ['Drizzle on pg', { packages: ['drizzle-orm', 'pg'] }],
    ['Drizzle on postgres.js', { packages: ['drizzle-orm', 'postgres'] }],
    ['Kysely', { packages: ['kysely', 'pg'] }],
    ['Knex', { packages: ['knex', 'pg'] }],
    ['TypeORM', { packages: ['typeorm', 'pg'] }],
    ['postgres.js', { packages: ['postgres'] }],
  ];
  test.each(clients)('for %s', async (_, given) => {
    expect(await typecheck(await initiated(given))).toEqual([0, '']);
  });

  test.each([
    ['on its own', ['@prisma/client'], 'runWorker({ catalog, handlers });'],
    [
      'with its adapter for pg, through which the worker claims',
      ['@prisma/client', '@prisma/adapter-pg'],
      'runWorker({ catalog, handlers, prisma });',
    ],
  ])('for a Prisma client that the project has generated below src, %s', async (_, packages, call) => {
    const schema =
      'generator client {\n  provider = "prisma-client"\n  output = "../src/generated"\n}\ndatasource db {\n  provider = "postgresql"\n}\n';
    const dir = await initiated({
      packages,
      files: { 'prisma/schema.prisma': schema, 'src/index.ts': 'export {};\n' },
    });
    symlinkSync(join(root, 'packages/database/src/generated'), join(dir, 'src/generated'), 'junction');
    expect(readFileSync(join(dir, 'src/worker.ts'), 'utf8')).toContain(call);
    expect(await typecheck(dir)).toEqual([0, '']);
  });

  test.each([
    ['zod', ['zod'], {}],
    ['zod 4.0', ['zod'], { zod: 'zod-4.0' }],
    ['zod 3.25', ['zod'], { zod: 'zod-3' }],
    ['valibot', ['valibot', '@valibot/to-json-schema'], {}],
    ['arktype', ['arktype'], {}],
  ])('for %s', async (_, packages, aliases) => {
    expect(await typecheck(await initiated({ packages, aliases }))).toEqual([0, '']);
  });

  test('in an empty folder', async () => {
    const project = makeProject({}, [...ALWAYS, 'zod']);
    made.push(project);
    await runCommand(['init', '--yes', '--no-install'], { cwd: project.dir });
    expect(await typecheck(project.dir)).toEqual([0, '']);
  });

  const settings: readonly (readonly [string, Given])[] = [
    [
      'for a bundler',
      {
        files: {
          'tsconfig.json': JSON.stringify({
            compilerOptions: { ...NODENEXT.compilerOptions, module: 'esnext', moduleResolution: 'bundler' },
          }),
        },
      },
    ],
    [
      'for CommonJS',
      {
        json: { type: 'commonjs' },
        files: { 'tsconfig.json': JSON.stringify(NODENEXT) },
      },
    ],
    [
      'for imports that end in .ts',
      {
        files: {
          'tsconfig.json': JSON.stringify({
            compilerOptions: { ...NODENEXT.compilerOptions, rewriteRelativeImportExtensions: true },
          }),
        },
      },
    ],
  ];
  test.each(settings)('%s', async (_, given) => {
    expect(await typecheck(await initiated(given))).toEqual([0, '']);
  });
});

describe('the test that init writes passes', () => {
  test.each([
    ['in TypeScript', 'ts', {}],
    ['in TypeScript, CommonJS', 'ts', { json: { type: 'commonjs' } }],
    ['in JavaScript', 'js', { files: { 'tsconfig.json': undefined } }],
  ])('%s', async (_, extension, given) => {
    const dir = await initiated(given as Given);
    const [code, output] = await run(dir, ['--import', 'tsx', '--test', `jobs/say-hello.test.${extension}`]);
    expect([code, output]).toEqual([0, expect.stringContaining('# pass 1')]);
  });
});
