import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { root } from '../../../bootstrap/paths.mjs';
import { PUBLISHED } from '../../kit/pack-packages.js';
import { runCommand } from '../../kit/run-command.js';
import { readVersion } from './read-dumps.js';
import { versionPackages } from './version-packages.js';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: true;
}

const manifestsOf = (dir: string): Manifest[] =>
  readdirSync(join(dir, 'packages'))
    .toSorted()
    .map((name) => JSON.parse(readFileSync(join(dir, 'packages', name, 'package.json'), 'utf8')) as Manifest);

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'duework-release-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** The manifests of the repository, its projects that install as users do, and its settings of changesets. */
async function copyManifests(): Promise<void> {
  const paths = (
    await runCommand('git', ['ls-files', '*package.json', 'pnpm-workspace.yaml', '.changeset'], { cwd: root })
  )
    .trim()
    .split('\n');
  for (const path of paths) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    cpSync(join(root, path), join(dir, path));
  }
  rmSync(join(dir, '.changeset'), { recursive: true });
  mkdirSync(join(dir, '.changeset'));
  cpSync(join(root, '.changeset/config.json'), join(dir, '.changeset/config.json'));
  writeFileSync(join(dir, '.changeset/brave-dogs.md'), "---\n'duework': minor\n---\n\nWhat is new.\n");
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'), 'junction');
  await runCommand('git', ['init', '--quiet'], { cwd: dir });
}

test('one changeset gives every published package the same next version, and none to the rooms', async () => {
  await copyManifests();
  const before = manifestsOf(dir);
  const [major, minor] = readVersion(dir).split('.').map(Number);
  const next = `${major}.${minor! + 1}.0`;
  expect(await versionPackages(dir)).toBe(next);
  expect(manifestsOf(dir)).toEqual(before.map((each) => (each.private ? each : { ...each, version: next })));
  expect(readFileSync(join(dir, 'packages/duework/CHANGELOG.md'), 'utf8')).toMatch(
    new RegExp(`^# duework\n\n## ${next}\n\n### Minor Changes\n\n- .*What is new`),
  );
  expect(readFileSync(join(dir, 'examples/hono/package.json'), 'utf8')).toContain(`"duework": "^${next}"`);
});

test('every package that is not private is packed, checked and versioned', () => {
  const names = manifestsOf(root).filter((each) => each.private === undefined);
  const { fixed } = JSON.parse(readFileSync(join(root, '.changeset/config.json'), 'utf8')) as { fixed: string[][] };
  expect(fixed.flat().toSorted()).toEqual(names.map(({ name }) => name).toSorted());
  expect(PUBLISHED.toSorted()).toEqual(names.map(({ name }) => name.replace('@duework/', '')).toSorted());
});
