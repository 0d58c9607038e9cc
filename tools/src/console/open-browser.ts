import { spawnSync } from 'node:child_process';
import { chromium, type Browser } from 'playwright-core';
import { PlainError } from '../../bootstrap/plain-error.mjs';

/** The path of Chromium, as Debian and others install it; null: it is not installed. */
export function findChromium(): string | null {
  const isThere = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
  return ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(isThere) ?? null;
}

/** @throws PlainError where no browser is installed, with the command that installs one */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) throw new PlainError('There is no Chromium here: apt-get install chromium');
  // root may not use the sandbox, which is about pages of others
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}
