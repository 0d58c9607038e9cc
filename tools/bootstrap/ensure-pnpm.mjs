import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { npmCommand } from './npm-command.mjs';
import { root, stateDir } from './paths.mjs';
import { runLogged } from './run-logged.mjs';
import { showProgress } from './show-progress.mjs';

const toolsDir = join(stateDir, 'tools');
const isWindows = process.platform === 'win32';

/** @param {string} packageJson */
const readVersion = (packageJson) => {
  try {
    return JSON.parse(readFileSync(packageJson, 'utf8')).version;
  } catch {
    return undefined;
  }
};

/**
 * The folder on PATH whose pnpm is the wanted version. It is asked outside of the project, where it cannot switch versions.
 *
 * @param {string} version
 */
function findOnPath(version) {
  for (const dir of (process.env['PATH'] ?? '').split(delimiter)) {
    if (dir === '' || !existsSync(join(dir, isWindows ? 'pnpm.cmd' : 'pnpm'))) continue;
    const { stdout } = spawnSync('pnpm', ['--version'], {
      cwd: tmpdir(),
      encoding: 'utf8',
      timeout: 5_000,
      shell: isWindows,
      // A pnpm that is Corepack's must not download one now.
      env: { ...process.env, COREPACK_ENABLE_NETWORK: '0' },
    });
    return stdout?.trim() === version ? dir : undefined;
  }
  return undefined;
}

/**
 * Brings the pnpm that package.json pins, through npm, into .duework/tools, unless it is there or on PATH already.
 *
 * @returns {Promise<string>} the folder to put on PATH
 */
export async function ensurePnpm() {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const version = packageManager.replace(/^pnpm@/, '').replace(/\+.*$/, '');
  const binDir = join(toolsDir, 'node_modules', '.bin');
  if (readVersion(join(toolsDir, 'node_modules/pnpm/package.json')) === version && existsSync(join(binDir, 'pnpm')))
    return binDir;

  const onPath = findOnPath(version);
  if (onPath !== undefined) return onPath;

  mkdirSync(toolsDir, { recursive: true });
  // A package.json of its own keeps npm from looking at the one of the project.
  writeFileSync(join(toolsDir, 'package.json'), '{ "private": true }\n');
  const npm = npmCommand();
  const args = ['install', '--prefix', toolsDir, '--no-audit', '--no-fund', '--no-save', `pnpm@${version}`];
  await showProgress(`Getting pnpm ${version}`, () =>
    runLogged({
      name: 'get-pnpm',
      command: npm.command,
      args: [...npm.args, ...args],
      hint: 'Is the npm registry reachable?',
    }),
  );
  return binDir;
}
