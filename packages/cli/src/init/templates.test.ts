import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import { makeProject, type TestProject } from '../testing/make-project.js';
import { runCommand } from '../testing/run-command.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
const esbuild = join(dirname(createRequire(join(root, 'tools/x')).resolve('esbuild/package.json')), 'bin/esbuild');
const TYPED = { devDependencies: { typescript: '*' } };
type Scripts = Readonly<Record<string, string>>;
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
function run(dir: string, args: readonly string[], program = process.execPath): Promise<readonly [number, string]> {
  const { PATH } = process.env;
  return new Promise((resolve) =>
    execFile(program, args, { cwd: dir, env: { PATH } }, (error, stdout, stderr) =>
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

describe('what init writes is built for production, without its test, and starts from that alone', () => {
  const NO_EMIT = { ...NODENEXT.compilerOptions, noEmit: true, declaration: true, declarationMap: true };
  const OF_SRC = { ...NODENEXT.compilerOptions, rootDir: './src', outDir: './build/' };
  const SRC = { 'src/index.ts': 'export {};\n' };
  const TS_SUFFIX = { ...NO_EMIT, allowImportingTsExtensions: true };
  const BUNDLER = { ...NO_EMIT, module: 'preserve', moduleResolution: 'bundler' };
  const config = (compilerOptions: object, more: object = {}) => ({
    'tsconfig.json': JSON.stringify({ compilerOptions, ...more }),
  });
  test.each<[string, Given, string]>([
    ['without a tsconfig', { files: { 'tsconfig.json': undefined }, json: TYPED }, 'dist/worker.js'],
    ['with sources in src and tests in test', { files: { ...SRC, 'test/own.test.ts': '' } }, 'dist/worker.js'],
    ['with a build of src', { files: { ...SRC, ...config(OF_SRC, { include: ['src'] }) } }, 'build/worker.js'],
    ['with a tsconfig that makes declarations alone', { files: { ...SRC, ...config(NO_EMIT) } }, 'dist/worker.js'],
    ['with imports that end in .ts', { files: { ...SRC, ...config(TS_SUFFIX) } }, 'dist/worker.js'],
    ['in CommonJS', { json: { type: 'commonjs' }, files: SRC }, 'dist/worker.js'],
    ['for a bundler', { files: { ...SRC, ...config(BUNDLER) } }, 'dist/worker.js'],
    [
      'for a bundler, in CommonJS',
      { json: { type: undefined }, files: { ...SRC, ...config(BUNDLER) } },
      'dist/worker.js',
    ],
    ['with the logger that it has', { packages: ['pino'], files: SRC }, 'dist/worker.js'],
  ])('%s', async (_, given, worker) => {
    const dir = await initiated(given);
    const { scripts } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as { scripts: Scripts };
    expect(scripts['jobs:start']).toBe(`node ${worker}`);
    const [program, ...args] = scripts['jobs:build']!.split(' ');
    const built = program === 'tsc' ? run(dir, [tsc, ...args]) : run(dir, args, esbuild);
    expect(await built).toEqual([0, expect.any(String)]);
    expect(readdirSync(dirname(join(dir, worker)), { recursive: true })).toEqual(
      expect.not.arrayContaining([expect.stringContaining('say-hello')]),
    );
    for (const source of ['src', 'jobs', 'test', 'worker.ts', 'tsconfig.json', 'node_modules/tsx'])
      rmSync(join(dir, source), { recursive: true, force: true });
    expect(await run(dir, [worker, '--help'])).toEqual([0, expect.stringContaining('Usage: node worker.js')]);
    const docs = await runCommand(['contracts', 'docs'], { cwd: dir, env: { NODE_ENV: 'production' } });
    expect([docs.code, docs.output]).toEqual([0, expect.stringContaining('say_hello')]);
  });
});

describe('the test that init writes passes', () => {
  test.each([
    ['in TypeScript', 'ts', {}],
    ['in TypeScript, CommonJS', 'ts', { json: { type: 'commonjs' } }],
    ['in JavaScript', 'js', { files: { 'tsconfig.json': undefined } }],
    ['in the folder of the project’s tests', 'ts', { files: { 'src/index.ts': '', 'tests/own.test.ts': '' } }, 'tests'],
  ])('%s', async (_, extension, given, folder = 'jobs') => {
    const dir = await initiated(given as Given);
    const [code, output] = await run(dir, ['--import', 'tsx', '--test', `${folder}/say-hello.test.${extension}`]);
    expect([code, output]).toEqual([0, expect.stringContaining('# pass 1')]);
  });
});
