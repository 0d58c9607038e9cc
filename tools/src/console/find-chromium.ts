import { spawnSync } from 'node:child_process';

/** The path of Chromium, as Debian and others install it; null: it is not installed. */
export function findChromium(): string | null {
  const isThere = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
  return ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(isThere) ?? null;
}
