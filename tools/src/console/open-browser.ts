import { chromium, type Browser } from 'playwright-core';
import { PlainError } from '../../bootstrap/plain-error.mjs';
import { findChromium } from './find-chromium.js';

/** @throws PlainError where no browser is installed, with the command that installs one */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) throw new PlainError('There is no Chromium here: apt-get install chromium');
  // root may not use the sandbox, which is about pages of others
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}
