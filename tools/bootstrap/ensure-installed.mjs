import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePnpm } from './ensure-pnpm.mjs';
import { linkStarted } from './link-started.mjs';
import { root } from './paths.mjs';
import { runLogged } from './run-logged.mjs';
import { showProgress } from './show-progress.mjs';

/** Removing node_modules removes it too. */
const marker = join(root, 'node_modules', '.duework-install');

/** What is installed for a part: `start` is what `npm start` builds and runs, `all` what tests and other programs need, too. */
const PART = {
  all: ['install', '--frozen-lockfile'],
  start: ['install', '--frozen-lockfile', '--prod', '--filter-prod=@duework/tools...'],
};

/** Every file that decides what is in node_modules. */
function installedState() {
  const workspace = ['packages', 'apps'].flatMap((folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder)).map((name) => join(folder, name, 'package.json'))
      : [],
  );
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${process.versions.modules}`);
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json', 'tools/package.json', ...workspace.sort()];
  for (const file of files) {
    if (existsSync(join(root, file))) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

/** @returns {{ state?: string, part?: string }} */
function readMarker() {
  try {
    return JSON.parse(readFileSync(marker, 'utf8'));
  } catch {
    return {};
  }
}

/**
 * Installs the packages of pnpm-lock.yaml, unless they are installed already.
 *
 * @param {'start' | 'all'} part
 * @returns {Promise<{ pnpmDir: string }>} the folder of pnpm, to put on PATH
 */
export async function ensureInstalled(part) {
  const pnpmDir = await ensurePnpm();
  const state = installedState();
  const has = readMarker();
  if (has.state === state && (has.part === 'all' || has.part === part)) return { pnpmDir };

  await showProgress('Installing packages', () =>
    runLogged({
      name: 'install',
      command: join(pnpmDir, process.platform === 'win32' ? 'pnpm.cmd' : 'pnpm'),
      args: [...PART[part], '--reporter=append-only'],
      // Without a terminal pnpm would wait for an answer.
      env: { CI: 'true' },
      hint: 'Is the npm registry reachable? After a change to a package.json, run: .duework/tools/node_modules/.bin/pnpm install',
    }),
  );
  linkStarted(part);
  writeFileSync(marker, JSON.stringify({ state, part }));
  return { pnpmDir };
}
