import { join } from 'node:path';
import { restoreBuilt } from './with-copy.mjs';
import { PlainError } from '../lib/plain-error.mjs';
import { root } from '../lib/paths.mjs';
import { runIn } from './run-in.mjs';

/** Worker threads, child processes and the other packages run what is built; migrations come with packages/database. */
const ownerOf = (file) =>
  file
    .split('/')
    .slice(0, file.startsWith('prisma/') ? 1 : 2)
    .join('/');
const ownersOf = ({ edits }) => [...new Set(edits.map(({ file }) => ownerOf(file)))];

/** Builds the packages that a guard was taken out of. */
export async function buildChanged(dir, guard) {
  for (const owner of ownersOf(guard)) {
    const { code, output } = await (owner === 'prisma' ? copyMigrations(dir) : compile(dir, owner));
    if (code !== 0) throw new PlainError(`without it ${owner} cannot be built:\n${output}`);
  }
}

/** Puts back what the whole tree's build made of them. */
export function restoreBuild(dir, guard) {
  for (const owner of ownersOf(guard)) restoreBuilt(dir, owner === 'prisma' ? 'packages/database' : owner);
}

const copyMigrations = (dir) => runIn(dir, [join(dir, 'packages/database/scripts/copy-migrations.mjs')]);
const compile = (dir, owner) =>
  runIn(dir, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(dir, owner, 'tsconfig.json')]);
