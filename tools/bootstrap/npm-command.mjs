import { existsSync } from 'node:fs';

/**
 * How to run npm: its own script where npm has started this, because that needs no shell on any system; else the one on
 * PATH.
 */
export function npmCommand() {
  const script = process.env['npm_execpath'];
  if (script?.endsWith('npm-cli.js') && existsSync(script)) return { command: process.execPath, args: [script] };
  return { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', args: [] };
}
