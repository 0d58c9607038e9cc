import { join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import { PlainError } from '../../../bootstrap/plain-error.mjs';
import type { Guard } from './guard.js';
import { type Ran, runIn } from './run-in.js';
import { restoreBuilt } from './with-copy.js';

/** Worker threads, child processes and the other packages run what is built; migrations are built into packages/database. */
const ownerOf = (file: string): string =>
  file
    .split('/')
    .slice(0, file.startsWith('prisma/') ? 1 : 2)
    .join('/');
const ownersOf = ({ edits }: Guard): string[] => [...new Set(edits.map(({ file }) => ownerOf(file)))];

/**
 * Builds the packages that a guard was taken out of.
 *
 * @throws PlainError with what the compiler says
 */
export async function buildChanged(dir: string, guard: Guard): Promise<void> {
  for (const owner of ownersOf(guard)) {
    if (owner === 'prisma') await runIn(dir, [join(dir, 'packages/database/scripts/inline-migrations.mjs')]);
    const { code, output } = await compile(dir, owner === 'prisma' ? 'packages/database' : owner);
    if (code !== 0) throw new PlainError(`without it ${owner} cannot be built:\n${output}`);
  }
}

/** Puts back what the whole tree's build made of them. */
export function restoreBuild(dir: string, guard: Guard): void {
  for (const owner of ownersOf(guard)) restoreBuilt(dir, owner === 'prisma' ? 'packages/database' : owner);
}

const compile = (dir: string, owner: string): Promise<Ran> =>
  runIn(dir, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(dir, owner, 'tsconfig.json')]);
