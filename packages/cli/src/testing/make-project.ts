import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const installed = fileURLToPath(new URL('../../node_modules', import.meta.url));

export interface TestProject {
  readonly dir: string;
  remove(): void;
}

/**
 * A user's project in a folder of its own.
 *
 * @param files - by their paths
 * @param packages - those of this package's node_modules that are installed in the project, too
 */
export function makeProject(files: Readonly<Record<string, string>>, packages: readonly string[] = []): TestProject {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'duework-project-')));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
  for (const name of packages) {
    mkdirSync(dirname(join(dir, 'node_modules', name)), { recursive: true });
    symlinkSync(realpathSync(join(installed, name)), join(dir, 'node_modules', name), 'junction');
  }
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
