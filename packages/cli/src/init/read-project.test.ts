import { describe, expect, test } from '@jest/globals';
import type { Project, ProjectFiles } from './project.js';
import { readProject } from './read-project.js';

/** A project in memory: its files by their paths. */
function files(texts: Readonly<Record<string, string>>): ProjectFiles {
  const paths = Object.keys(texts);
  return {
    name: 'folder',
    read: (path) => texts[path],
    hasFolder: (path) => paths.some((name) => name.startsWith(`${path}/`)),
    foldersIn: (path) => {
      const parts = paths
        .map((name) => name.split('/'))
        .filter((names) => path === '' || names.join('/').startsWith(`${path}/`));
      const depth = path === '' ? 0 : path.split('/').length;
      return [...new Set(parts.filter((names) => names.length > depth + 1).map((names) => names[depth]!))];
    },
  };
}
const manifest = (dependencies: readonly string[], more: object = {}): string =>
  JSON.stringify({
    name: 'app',
    type: 'module',
    dependencies: Object.fromEntries(
      dependencies.map((entry) => [entry.replace(/@\d+$/, ''), `^${entry.replace(/^.*@/, '')}.0.0`]),
    ),
    ...more,
  });
const read = (texts: Readonly<Record<string, string>>): Project => readProject(files(texts));

test('an empty folder gets TypeScript, ES modules, pg, zod and the test runner of Node', () => {
  expect(read({})).toMatchObject({
    name: 'folder',
    packageManager: 'npm',
    client: 'pg',
    validator: 'zod',
    testRunner: 'node',
    framework: undefined,
    extension: 'ts',
    importSuffix: '.js',
    isModule: true,
    sourceDir: '',
    workspace: undefined,
    isProgram: false,
  });
});

describe('the package manager is whose lock file is nearest', () => {
  test.each([
    ['pnpm', { 'pnpm-lock.yaml': '' }],
    ['yarn', { 'yarn.lock': '' }],
    ['bun', { 'bun.lock': '' }],
    ['npm', { 'package-lock.json': '{}', '../pnpm-lock.yaml': '' }],
    ['pnpm', { '../../pnpm-lock.yaml': '' }],
    ['pnpm', { '../pnpm-workspace.yaml': '' }],
    ['yarn', { '../package.json': '{ "packageManager": "yarn@4.9.0" }' }],
    ['npm', { '.git/HEAD': '', '../pnpm-lock.yaml': '' }],
  ])('%s', (manager, texts) => {
    expect(read({ 'package.json': manifest([]), ...(texts as Record<string, string>) }).packageManager).toBe(manager);
  });
});

describe('the client, the framework, the validator and the test runner are what the project depends on', () => {
  test.each([
    [['@prisma/client@7', 'pg@8'], { client: 'prisma' }],
    [['drizzle-orm@1', 'pg@8'], { client: 'drizzle', drizzleDriver: 'node-postgres' }],
    [['drizzle-orm@1', 'postgres@3'], { client: 'drizzle', drizzleDriver: 'postgres-js' }],
    [['drizzle-orm@1', '@neondatabase/serverless@1'], { client: 'drizzle', drizzleDriver: 'neon-serverless' }],
    [['typeorm@1', 'pg@8'], { client: 'typeorm' }],
    [['kysely@0', 'pg@8'], { client: 'kysely' }],
    [['knex@3', 'pg@8'], { client: 'knex' }],
    [['postgres@3'], { client: 'postgres' }],
    [['next@16', 'valibot@1', 'vitest@4'], { framework: 'next', validator: 'valibot', testRunner: 'vitest' }],
    [['@nestjs/core@11', 'express@5', 'jest@30'], { framework: 'nest', testRunner: 'jest' }],
    [['hono@4', 'arktype@2'], { framework: 'hono', validator: 'arktype' }],
    [['fastify@5', 'zod@4', 'valibot@1'], { framework: 'fastify', validator: 'zod' }],
  ])('%j', (dependencies, seen) => {
    expect(read({ 'package.json': manifest(dependencies) })).toMatchObject(seen);
  });
});

describe('a contract is written for the zod that is installed', () => {
  test.each([
    ['^4.6.7', undefined, { module: 'zod', needsJsonSchema: false }],
    ['^4.0.0', undefined, { module: 'zod', needsJsonSchema: true }],
    ['^4.0.0', '4.6.7', { module: 'zod', needsJsonSchema: false }],
    ['^3.22.4', '3.25.76', { module: 'zod/v4', needsJsonSchema: true }],
    ['latest', undefined, { module: 'zod', needsJsonSchema: false }],
    ['catalog:', '4.1.13', { module: 'zod', needsJsonSchema: true }],
  ])('%s, installed %s', (range, version, facts) => {
    const texts = version === undefined ? {} : { 'node_modules/zod/package.json': JSON.stringify({ version }) };
    const json = manifest([], { dependencies: { zod: range } });
    expect(read({ 'package.json': json, ...(texts as Record<string, string>) }).zod).toEqual(facts);
  });

  test('and one that has no Standard Schema is refused with the fix', () => {
    expect(() => read({ 'package.json': manifest([], { dependencies: { zod: '3.22.4' } }) })).toThrow(
      'zod 3.22 is too old for contracts. Install 3.25 or later, or 4: npm install zod@^4',
    );
  });
});

describe('the Prisma client is imported from where the schema says', () => {
  const schema = (generator: string): string => `datasource db { provider = "postgresql" }\n\n${generator}\n`;
  test.each([
    [
      'of version 7, below src',
      '7',
      {
        'prisma/schema.prisma': schema(
          'generator client {\n  provider = "prisma-client"\n  output   = "../src/generated/prisma"\n}',
        ),
      },
      { isBefore7: false, module: { path: 'src/generated/prisma/client' } },
    ],
    [
      'of version 6, from its package',
      '6',
      { 'prisma/schema.prisma': schema('generator client {\n  provider = "prisma-client-js"\n}') },
      { isBefore7: true, module: { name: '@prisma/client' } },
    ],
    [
      'of version 6, into a folder',
      '6',
      { 'prisma/schema.prisma': schema('generator client {\n  provider = "prisma-client-js"\n  output = "./made"\n}') },
      { isBefore7: true, module: { path: 'prisma/made/index' } },
    ],
    [
      'whose schema prisma.config.ts names',
      '7',
      {
        'prisma.config.ts': `export default defineConfig({ schema: 'db/main.prisma' });`,
        'db/main.prisma': schema('generator client {\n  provider = "prisma-client"\n  output = "./client"\n}'),
      },
      { isBefore7: false, module: { path: 'db/client/client' } },
    ],
  ])('%s', (_, version, texts, facts) => {
    const json = manifest([], { dependencies: { '@prisma/client': `^${version}.0.0` } });
    expect(read({ 'package.json': json, ...(texts as unknown as Record<string, string>) }).prisma).toEqual(facts);
  });
});

describe('files end and import each other as the project’s do', () => {
  const config = (options: object): string => JSON.stringify({ compilerOptions: options });
  test.each([
    ['nodenext, ES modules', {}, { 'tsconfig.json': config({ module: 'NodeNext' }) }, ['ts', '.js', true]],
    [
      'nodenext, CommonJS',
      { type: 'commonjs' },
      { 'tsconfig.json': config({ module: 'nodenext' }) },
      ['ts', '', false],
    ],
    ['a bundler', {}, { 'tsconfig.json': config({ module: 'esnext', moduleResolution: 'bundler' }) }, ['ts', '', true]],
    [
      'CommonJS, as Nest has it',
      { type: undefined },
      { 'tsconfig.json': config({ module: 'commonjs' }) },
      ['ts', '', false],
    ],
    [
      'a bundler without a type, as Next has it',
      { type: undefined },
      { 'tsconfig.json': config({ module: 'esnext', moduleResolution: 'bundler' }) },
      ['ts', '', false],
    ],
    [
      'imports with .ts',
      {},
      { 'tsconfig.json': config({ module: 'nodenext', rewriteRelativeImportExtensions: true }) },
      ['ts', '.ts', true],
    ],
    [
      'comments, commas and an extended file',
      {},
      {
        'tsconfig.json': '{ // ours\n "extends": "../base.json", /* and */ "compilerOptions": { "strict": true, }, }',
        '../base.json': config({ module: 'node16' }),
      },
      ['ts', '.js', true],
    ],
    [
      'a file of a package',
      {},
      {
        'tsconfig.json': '{ "extends": "@tsconfig/node22/tsconfig.json" }',
        'node_modules/@tsconfig/node22/tsconfig.json': config({ module: 'nodenext' }),
      },
      ['ts', '.js', true],
    ],
    ['JavaScript modules', {}, {}, ['js', '.js', true]],
    ['JavaScript, CommonJS', { type: undefined }, {}, ['mjs', '.mjs', true]],
  ])('%s', (_, more, texts, [extension, importSuffix, isModule]) => {
    const json = manifest([], more);
    expect(read({ 'package.json': json, ...(texts as unknown as Record<string, string>) })).toMatchObject({
      extension,
      importSuffix,
      isModule,
    });
  });
});

describe('the packages of a workspace are those that its root names', () => {
  const folders = ['apps/api', 'apps/web', 'apps/old', 'libs/deep/db', 'node_modules/pg', 'tools'];
  const packages = Object.fromEntries(folders.map((folder) => [`${folder}/package.json`, '{}']));
  const yaml = (text: string): Record<string, string> => ({ 'pnpm-workspace.yaml': text });
  test.each([
    [
      'pnpm',
      {},
      yaml('packages:\n  # ours\n  - \'apps/*\'\n  - "!apps/old" # gone\n\ncatalog:\n  pg: 8\n'),
      ['apps/api', 'apps/web'],
    ],
    ['pnpm, in one line', {}, yaml('packages: [apps/web, tools]\n'), ['apps/web', 'tools']],
    ['pnpm, at any depth', {}, yaml('packages:\n- libs/**\n'), ['libs/deep/db']],
    ['pnpm, whose file has settings alone', {}, yaml('allowBuilds:\n  esbuild: true\n'), undefined],
    ['npm', { workspaces: ['./apps/w*', 'tools', 'nowhere/*'] }, {}, ['apps/web', 'tools']],
    ['yarn', { workspaces: { packages: ['apps/api'] } }, {}, ['apps/api']],
    ['none', {}, { '../pnpm-workspace.yaml': 'packages: [a]' }, undefined],
  ])('%s', (_, json, texts, workspace) => {
    const seen = read({ 'package.json': manifest([], json), ...packages, ...(texts as Record<string, string>) });
    expect(seen.workspace).toEqual(workspace);
  });
});

test.each([
  ['what a program has', manifest(['express@5']), {}, true],
  ['sources', manifest([]), { 'src/index.ts': '' }, true],
  ['what all packages are developed with', manifest([], { devDependencies: { pg: '8', prisma: '7' } }), {}, false],
])('a folder is a program or not by %s', (_, json, texts, isProgram) => {
  expect(read({ 'package.json': json, ...(texts as Record<string, string>) }).isProgram).toBe(isProgram);
});

test.each(['{', '[]', '5'])('a package.json that holds %s is refused in words', (text) => {
  expect(() => read({ 'package.json': text })).toThrow(expect.objectContaining({ code: 'package_json_invalid' }));
});
