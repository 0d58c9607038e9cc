import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { installDuework } from './install-duework.js';
import { root } from './root.js';

/** Where the workspace has installed what a project may depend on. */
const WHERE = [
  'packages/cli',
  'packages/clients-test',
  'packages/queue-core',
  'packages/database',
  'packages/contracts',
  'packages/worker',
  'tools',
  '.',
];

export interface TestProject {
  readonly dir: string;
  remove(): void;
}

/**
 * A user's project in a folder of its own.
 *
 * @param files - by their paths
 * @param aliases - what stands behind a name of `packages`: another package of the workspace
 * @param packages - what is installed in it: packages that the workspace has, and `duework`
 */
export function makeProject(
  files: Readonly<Record<string, string | undefined>>,
  packages: readonly string[] = [],
  aliases: Readonly<Record<string, string>> = {},
): TestProject {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'duework-project-')));
  for (const [path, content] of Object.entries(files)) if (content !== undefined) write(join(dir, path), content);
  for (const name of packages)
    if (name === 'duework') installDuework(dir);
    else install(dir, name, aliases[name] ?? name);
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

function write(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function install(dir: string, name: string, target: string): void {
  const found = WHERE.map((owner) => join(root, owner, 'node_modules', target)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`The workspace has no package ${name}.`);
  mkdirSync(dirname(join(dir, 'node_modules', name)), { recursive: true });
  symlinkSync(realpathSync(found), join(dir, 'node_modules', name), 'junction');
}
