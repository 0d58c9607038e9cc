import { spawnSync } from 'node:child_process';
import { findChromium } from './find-chromium.js';

const HOW = 'Install it: apt-get install chromium (Debian, Ubuntu), or Google Chrome.';

/**
 * Installs Chromium where it is missing: for root, from the packages of a Debian system.
 *
 * @throws Error with what to do, where it is missing and cannot be installed
 */
export function installChromium(): void {
  if (findChromium() !== null) return;
  if (process.getuid?.() !== 0) throw new Error(`There is no Chromium here. ${HOW}`);
  process.stderr.write('Installing Chromium from the packages of the system …\n');
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    const { status, error, stderr } = spawnSync('apt-get', args, {
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    if (status === 0) continue;
    const why = error?.message ?? stderr.trim().split('\n').at(-1) ?? '';
    throw new Error(`Chromium could not be installed (apt-get ${args[0]}: ${why}). ${HOW}`);
  }
}
