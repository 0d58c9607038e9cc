import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { makeProject, type TestProject } from '../testing/make-project.js';
import { findPackageDir } from './find-package-dir.js';

const ROOT = { 'package.json': '{}', 'pnpm-workspace.yaml': 'packages:\n  - packages/*\n' };
const ONE = { 'packages/db/package.json': '{ "dependencies": {} }' };
const API = { 'packages/api/package.json': '{ "dependencies": { "hono": "4" } }' };

let project: TestProject;
beforeEach(() => {
  project = makeProject({ ...ROOT, ...ONE, 'packages/a/package.json': '{', ...API });
});
afterEach(() => project.remove());

test('who is at the terminal chooses, from those that look like programs first', async () => {
  let offered: readonly string[] = [];
  const choose = async (_: string, names: readonly string[]): Promise<string> => (offered = names)[0]!;
  expect(await findPackageDir({ cwd: project.dir, choose }, undefined)).toBe(join(project.dir, 'packages/api'));
  expect(offered).toEqual(['packages/api', 'packages/a', 'packages/db']);
});

test('who chooses none is told how one is named', async () => {
  const choose = async (): Promise<undefined> => undefined;
  await expect(findPackageDir({ cwd: project.dir, choose }, undefined)).rejects.toMatchObject({
    code: 'workspace_root',
    message:
      'This is the root of a workspace. Say which package enqueues: npx duework init --in packages/api. It has packages/api, packages/a, packages/db.',
  });
});

test('a package that is named is taken, the root too, and a folder without package.json is not', async () => {
  const parts = { cwd: project.dir, choose: undefined };
  expect(await findPackageDir(parts, 'packages/db')).toBe(join(project.dir, 'packages/db'));
  expect(await findPackageDir(parts, '.')).toBe(project.dir);
  await expect(findPackageDir(parts, 'packages/apo')).rejects.toMatchObject({
    code: 'package_not_found',
    message: 'packages/apo is not the folder of a package: it has no package.json.',
  });
});
