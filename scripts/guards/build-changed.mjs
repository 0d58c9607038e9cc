import { join } from 'node:path';
import { restoreBuilt } from './with-copy.mjs';
import { PlainError } from '../lib/plain-error.mjs';
import { root } from '../lib/paths.mjs';
import { runIn } from './run-in.mjs';

/** Worker threads, child processes and the other packages run what is built; migrations come with packages/database. */
const ownerOf = (file) => (file.startsWith('prisma/') ? 'packages/database' : file.split('/').slice(0, 2).join('/'));

/** Builds the packages that a guard was taken out of; returns what puts the build as it was back. */
export async function buildChanged(dir, { name, edits }) {
  const owners = [...new Set(edits.map(({ file }) => ownerOf(file)))];
  for (const owner of owners) {
    const { code, output } = edits.some(({ file }) => file.startsWith('prisma/') && ownerOf(file) === owner)
      ? await runIn(dir, [join(dir, owner, 'scripts/copy-migrations.mjs')])
      : await runIn(dir, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(dir, owner, 'tsconfig.json')]);
    if (code !== 0) throw new PlainError(`Without the guard ${name} ${owner} cannot be built, so nothing can be said of its test:\n${output}`);
  }
  return () => {
    for (const owner of owners) restoreBuilt(dir, owner);
  };
}
