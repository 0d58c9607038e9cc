import { detectBuild, detectTestDir } from './read/detect-build.js';
import { detectLanguage } from './read/detect-language.js';
import { detectPackageManager } from './read/detect-package-manager.js';
import { detectPrisma } from './read/detect-prisma.js';
import { detectZod } from './read/detect-zod.js';
import { findContracts } from './read/find-contracts.js';
import { listPackages } from './read/list-packages.js';
import { readCompilerOptions } from './read/read-compiler-options.js';
import { dependenciesOf, parsePackageJson } from './read/read-package-json.js';
import type { Client, Framework, Project, ProjectFiles, TestRunner, Validator } from './project.js';

/** A package that tells of a client; where a project has several, the first one is the one that it writes with. */
const CLIENTS: readonly (readonly [string, Client])[] = [
  ['@prisma/client', 'prisma'],
  ['prisma', 'prisma'],
  ['drizzle-orm', 'drizzle'],
  ['typeorm', 'typeorm'],
  ['kysely', 'kysely'],
  ['knex', 'knex'],
  ['postgres', 'postgres'],
  ['pg', 'pg'],
];
const FRAMEWORKS: readonly (readonly [string, Framework])[] = [
  ['next', 'next'],
  ['@nestjs/core', 'nest'],
  ['fastify', 'fastify'],
  ['express', 'express'],
  ['hono', 'hono'],
];
const VALIDATORS: readonly (readonly [string, Validator])[] = [
  ['zod', 'zod'],
  ['valibot', 'valibot'],
  ['arktype', 'arktype'],
];
const RUNNERS: readonly (readonly [string, TestRunner])[] = [
  ['vitest', 'vitest'],
  ['jest', 'jest'],
];

/**
 * What a project is made of, from its files alone.
 *
 * @param contracts - the folder of the package that keeps the contracts; undefined: it is looked for
 * @throws PlainError `package_json_invalid`, `zod_too_old`, `package_not_found`
 */
export function readProject(files: ProjectFiles, contracts?: string): Project {
  const packageJson = files.read('package.json');
  const json = parsePackageJson(packageJson);
  const dependencies = dependenciesOf(json);
  const first = <T>(table: readonly (readonly [string, T])[]): T | undefined =>
    table.find(([name]) => dependencies.has(name))?.[1];
  const client = first(CLIENTS) ?? 'pg';
  const validator = first(VALIDATORS) ?? 'zod';
  const options = readCompilerOptions(files);
  const hasSources = files.hasFolder('src');
  const sourceDir = hasSources ? 'src/' : '';
  const language = detectLanguage(options, packageJson === undefined ? undefined : json);
  const isModulePackage = packageJson === undefined || json.type === 'module';
  const prisma =
    client === 'prisma'
      ? detectPrisma(files, json, dependencies.get('@prisma/client') ?? dependencies.get('prisma') ?? '')
      : undefined;
  const framework = first(FRAMEWORKS);
  const testRunner = first(RUNNERS) ?? 'node';
  const packageManager = detectPackageManager(files);
  const workspace = listPackages(files, json);
  // what a root needs for development is there for all packages
  const own = [...FRAMEWORKS, ...CLIENTS].some(([name]) => json.dependencies?.[name] !== undefined);
  return {
    name: json.name ?? files.name,
    packageManager,
    workspace,
    isProgram: hasSources || own,
    rootFlag: workspace === undefined ? undefined : findRootFlag(packageManager, files),
    packageJson,
    installed: new Set(dependencies.keys()),
    client,
    prisma,
    drizzleDriver: dependencies.has('@neondatabase/serverless')
      ? 'neon-serverless'
      : dependencies.has('postgres')
        ? 'postgres-js'
        : 'node-postgres',
    framework,
    validator,
    zod: detectZod(files, validator === 'zod' ? dependencies.get('zod') : undefined),
    testRunner,
    hasTsconfig: options !== undefined,
    ...language,
    sourceDir,
    build: detectBuild(files, options, { ...language, sourceDir, prisma, isModulePackage }),
    contracts: findContracts(files, json.name, contracts),
    // Nest looks for them beside, and keeps them out of its build
    testDir: framework === 'nest' && testRunner === 'jest' ? undefined : detectTestDir(files, options),
    gitignore: files.read('.gitignore'),
  };
}

/** pnpm and the first yarn refuse to install in a root unless they are told that it is meant. */
function findRootFlag(manager: Project['packageManager'], { read }: ProjectFiles): Project['rootFlag'] {
  if (manager === 'pnpm') return '-w';
  return manager === 'yarn' && read('yarn.lock')?.includes('yarn lockfile v1') === true ? '-W' : undefined;
}
