import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { makeProject, type TestProject } from '../testing/make-project.js';
import { findJobsModule } from './find-jobs-module.js';

const made: TestProject[] = [];
afterEach(() => made.splice(0).forEach((project) => project.remove()));

function project(...given: Parameters<typeof makeProject>): string {
  const one = makeProject(...given);
  made.push(one);
  return one.dir;
}

/** Loads the module in a process of its own, as the command does: the types of its catalog, or the line of the error. */
function load(dir: string, file: string): string {
  const loader = new URL('../../dist/project/load-jobs.js', import.meta.url).href;
  const source = `
    const { loadJobs } = await import(${JSON.stringify(loader)});
    const told = await loadJobs(${JSON.stringify(join(dir, file))}).then(
      ({ catalog, handlers }) => catalog.map(({ type }) => type + ' ' + typeof handlers[type]).join(),
      (error) => error.code + ': ' + error.message);
    process.stdout.write(told);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', source], {
    encoding: 'utf8',
    cwd: dir,
    env: { PATH: process.env['PATH'] },
  });
  expect(stderr).toBe('');
  return stdout;
}

const contracts = `
  import { defineCatalog, defineJob } from '@duework/contracts';
  import { z } from 'zod';
  export const catalog = defineCatalog([defineJob({ type: 'greet', payload: z.object({ name: z.string() }) })]);`;
const typed = {
  'package.json': '{ "type": "module" }',
  // an enum and an import without an extension: Node alone refuses both
  'jobs/kind.ts': 'export enum Kind { A }',
  'jobs/contracts.ts': contracts,
  'jobs/index.ts': `
    import { Kind } from './kind';
    export { catalog } from './contracts';
    export const handlers: Record<string, () => Kind> = { greet: () => Kind.A };`,
};
const needed = ['@duework/contracts', 'zod'];

describe('the module of jobs is loaded', () => {
  test('from JavaScript modules', () => {
    const dir = project(
      { 'package.json': '{ "type": "module" }', 'jobs.js': `${contracts} export const handlers = { greet() {} };` },
      needed,
    );
    expect(load(dir, 'jobs.js')).toBe('greet function');
  });

  test('from modules of a package that does not say it has them, of which Node says nothing', () => {
    const dir = project(
      { 'package.json': '{}', 'jobs.js': `${contracts} export const handlers = { greet() {} };` },
      needed,
    );
    expect(load(dir, 'jobs.js')).toBe('greet function');
  });

  test('from CommonJS', () => {
    const dir = project({
      'package.json': '{}',
      'jobs.js': `exports.catalog = [{ type: 'greet', version: 1 }]; exports.handlers = { greet() {} };`,
    });
    expect(load(dir, 'jobs.js')).toBe('greet function');
  });

  test.each(['tsx', 'jiti'])('from TypeScript through %s of the project', (loader) => {
    expect(load(project(typed, [...needed, loader]), 'jobs/index.ts')).toBe('greet function');
  });

  test.each(['tsx', 'jiti'])('from TypeScript of a CommonJS project through %s', (loader) => {
    const dir = project({ ...typed, 'package.json': '{}' }, [...needed, loader]);
    expect(load(dir, 'jobs/index.ts')).toBe('greet function');
  });
});

describe('a module that cannot be loaded is refused in one line with its fix', () => {
  test('because nothing loads TypeScript', () => {
    const dir = project(
      { 'package.json': '{ "type": "module" }', 'jobs.ts': 'export enum Kind { A }; export const catalog = [];' },
      needed,
    );
    // newer versions of Node try, and refuse the enum
    expect(load(dir, 'jobs.ts')).toMatch(/npm install --save-dev tsx/);
    writeFileSync(join(dir, 'pnpm-lock.yaml'), '');
    expect(load(dir, 'jobs.ts')).toMatch(/Run: pnpm add -D --allow-build=esbuild tsx$/);
  });

  test.each([
    [
      'it throws',
      'throw new Error("no mail server")',
      /^jobs_module_failed: .*jobs\.js cannot be loaded: no mail server$/,
    ],
    [
      'it has no catalog',
      'export const handlers = {}',
      /^jobs_module_incomplete: .*export const catalog = defineCatalog/,
    ],
    ['its catalog is none', 'export const catalog = [1]', /^jobs_module_incomplete: /],
  ])('because %s', (_, source, line) => {
    expect(load(project({ 'package.json': '{ "type": "module" }', 'jobs.js': source }), 'jobs.js')).toMatch(line);
  });
});

describe('the module of jobs is found', () => {
  test('by --jobs, from the working directory', () => {
    const dir = project({ 'a/jobs.js': '' });
    expect(findJobsModule('./jobs.js', join(dir, 'a'), false)).toBe(join(dir, 'a/jobs.js'));
  });

  test('by the nearest package.json that names it, from below its folder', () => {
    const dir = project({
      'package.json': '{ "duework": { "jobs": "./jobs.js" } }',
      'jobs.js': '',
      'app/package.json': '{ "name": "app" }',
      'app/src/index.js': '',
    });
    expect(findJobsModule(undefined, join(dir, 'app/src'), false)).toBe(join(dir, 'jobs.js'));
  });

  test.each([
    ['./src/jobs/index.ts', 'dist/jobs/index.js'],
    ['./src/jobs/index.ts', 'dist/src/jobs/index.js'],
    ['./src/jobs/index.mts', 'build/jobs/index.mjs'],
    ['src/jobs.cts', 'lib/jobs.cjs'],
    ['./jobs/index.ts', 'out/jobs/index.js'],
    ['./jobs/index.ts', 'dist/jobs/index.js'],
  ])('as what a build has made of it, where the image has that alone: %s, %s', (jobs, built) => {
    const dir = project({ 'package.json': JSON.stringify({ duework: { jobs } }), [built]: '' });
    expect(findJobsModule(undefined, dir, false)).toBe(join(dir, built));
    expect(findJobsModule(undefined, dir, true)).toBe(join(dir, built));
  });

  test('in development as the source, in production as what the build has made of it, where both are there', () => {
    const dir = project({
      'package.json': '{ "duework": { "jobs": "./src/jobs/index.ts" } }',
      'src/jobs/index.ts': '',
      'dist/jobs/index.js': '',
    });
    expect(findJobsModule(undefined, dir, false)).toBe(join(dir, 'src/jobs/index.ts'));
    expect(findJobsModule(undefined, dir, true)).toBe(join(dir, 'dist/jobs/index.js'));
  });

  test('or refused with all places that were looked at, and what to do', () => {
    const dir = project({ 'package.json': '{ "duework": { "jobs": "./src/jobs.ts" } }' });
    for (const words of [join(dir, 'src/jobs.ts'), join(dir, 'dist/jobs.js'), join(dir, 'build/src/jobs.js'), '--jobs'])
      expect(() => findJobsModule(undefined, dir, true)).toThrow(words);
  });

  test.each([
    ['nothing names it', {}, undefined, 'no_jobs_module'],
    ['what --jobs names is not there', {}, './none.ts', 'no_jobs_module'],
    [
      'what package.json names is not there',
      { 'package.json': '{ "duework": { "jobs": "./none.ts" } }' },
      undefined,
      'no_jobs_module',
    ],
    ['the key is no path', { 'package.json': '{ "duework": { "jobs": 5 } }' }, undefined, 'package_json_invalid'],
    ['package.json is broken', { 'package.json': '{' }, undefined, 'package_json_invalid'],
  ])('or refused, because %s', (_, files, given, code) => {
    expect(() => findJobsModule(given, project(files as Record<string, string>), false)).toThrow(
      expect.objectContaining({ code, message: expect.not.stringContaining('\n') }),
    );
  });
});
