import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildStart, listStartInputs } from './build-start.mjs';
import { listSources } from './list-sources.mjs';
import { root } from './paths.mjs';
import { listStarted, readWorkspace } from './read-workspace.mjs';
import { runTurbo } from './run-turbo.mjs';
import { showProgress } from './show-progress.mjs';

/** What was built of what; removing node_modules removes it too. */
const marker = join(root, 'node_modules', '.duework-built.json');

/** Decides what every package becomes. */
const SHARED = ['pnpm-lock.yaml', 'tsconfig.base.json', 'turbo.json', 'prisma.config.ts', 'LICENSE'];

/** @param {readonly string[]} files */
function hashFiles(files) {
  const hash = createHash('sha256').update(process.version);
  for (const file of [...SHARED, ...files])
    if (existsSync(join(root, file))) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

const hashStart = () => hashFiles(listStartInputs());
const listBuilt = () => [...readWorkspace().values()].filter(({ isBuilt }) => isBuilt);
const hashAll = () => hashFiles([...listBuilt().map(({ folder }) => folder), 'prisma'].flatMap(listSources));

/** @returns {{ start?: string, all?: string }} */
function readMarker() {
  try {
    return JSON.parse(readFileSync(marker, 'utf8'));
  } catch {
    return {};
  }
}

/** @param {readonly { folder: string }[]} packages */
const areThere = (packages) => packages.every(({ folder }) => existsSync(join(root, folder, 'dist')));

/**
 * Builds what is not built of the same files already: everything, or what `npm start` runs.
 *
 * @param {'start' | 'all'} part
 * @param {string} pnpmDir
 */
export const ensureBuilt = (part, pnpmDir) => (part === 'start' ? ensureStartBuilt() : ensureAllBuilt(pnpmDir));

async function ensureStartBuilt() {
  const start = hashStart();
  if (readMarker().start === start && areThere(listStarted())) return;
  const files = await showProgress('Building', buildStart);
  // the sources have changed since everything was built
  writeFileSync(marker, JSON.stringify({ start, files }));
}

/** @param {string} pnpmDir */
async function ensureAllBuilt(pnpmDir) {
  const all = hashAll();
  if (readMarker().all === all && areThere(listBuilt())) return;
  await runTurbo({ task: 'build', label: 'Building', pnpmDir });
  writeFileSync(marker, JSON.stringify({ start: hashStart(), all }));
}
