import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** The Chromium of the system, which the set-up of the tests installs where it is missing. */
export function openBrowser(): Promise<Browser> {
  const executablePath = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
    .map((name) => `/usr/bin/${name}`)
    .find(existsSync);
  if (executablePath === undefined) throw new Error('There is no Chromium here: apt-get install chromium');
  // root may not use the sandbox, which is about pages of others
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}
