import { spawnSync } from 'node:child_process';
import { findChromium } from './find-chromium.js';

const HOW = 'Install it: apt-get install chromium (Debian, Ubuntu), or Google Chrome.';

/**
 * Installs Chromium where it is missing: for root, from the packages of a Debian system, the one without windows if there is it.
 *
 * @throws Error with what to do, where it is missing and cannot be installed
 */
export function installChromium(): void {
  if (findChromium() !== null) return;
  if (process.getuid?.() !== 0) throw new Error(`There is no Chromium here. ${HOW}`);
  process.stderr.write('Installing Chromium from the packages of the system …\n');
  const refusal = runApt('update') ?? (install('chromium-headless-shell') === null ? null : install('chromium'));
  if (refusal !== null) throw new Error(`Chromium could not be installed (${refusal}). ${HOW}`);
}

const install = (name: string): string | null => runApt('install', '-y', '--no-install-recommends', name);

/** Returns why it has failed, or null. */
function runApt(...args: readonly string[]): string | null {
  const { status, error, stderr } = spawnSync('apt-get', args, {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return status === 0 ? null : `apt-get ${args[0]}: ${error?.message ?? stderr.trim().split('\n').at(-1) ?? ''}`;
}
