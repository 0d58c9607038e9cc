import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import { onEnd } from '../../kit/clean-up.js';

/** What git does not know and the tests need: built files, and the links between the packages, which are relative. */
const BUILT = [
  'dist',
  'src/generated',
  'src/migrate/generated',
  'src/doctor/generated',
  'src/pages/generated',
  'node_modules',
];

const packages = (): string[] =>
  ['packages', 'apps']
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
    // jest's global setup is in there
    .concat('tools');

/**
 * Gives `work` a copy of the built tree, as it is and not as it was committed, and removes it afterwards, also when it is
 * interrupted. The installed packages are shared; nothing writes to them.
 */
export async function withCopy<T>(work: (dir: string) => Promise<T>): Promise<T> {
  // jest compares real paths, and a temporary folder may be behind a link
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'duework-guards-')));
  const remove = onEnd(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
  try {
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    // what is deleted and not committed yet is listed, too
    for (const file of listed.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))) {
      mkdirSync(dirname(join(dir, file)), { recursive: true });
      cpSync(join(root, file), join(dir, file), { verbatimSymlinks: true });
    }
    for (const name of packages()) restoreBuilt(dir, name);
    symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'), 'junction');
    return await work(dir);
  } finally {
    remove();
  }
}

/** Copies what was built of a package, `packages/queue-core`, over what the copy has of it. */
export function restoreBuilt(dir: string, name: string): void {
  for (const built of BUILT) {
    const from = join(root, name, built);
    if (existsSync(from))
      cpSync(from, join(dir, name, built), { recursive: true, verbatimSymlinks: true, force: true });
  }
}
