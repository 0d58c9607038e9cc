import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { PlainError } from '../../../bootstrap/plain-error.mjs';
import { showProgress } from '../../../bootstrap/show-progress.mjs';
import { checkPorts } from './check-ports.js';
import type { StartSettings } from './settings.js';

/** The Redis of this start. */
export interface StartRedis {
  readonly url: string;
  readonly isOwn: boolean;
  stop(): Promise<void>;
  /** Stops it at once; for exit handlers. */
  stopNow(): void;
}

const START_MS = 10_000;
const LOOK_EVERY_MS = 50;

/**
 * The Redis of DUEWORK_REDIS_URL, or one that is started from the redis-server of this machine, with its data in .duework. One that an
 * earlier start has left is taken over.
 *
 * @throws PlainError where there is none, with what to do
 */
export async function openRedis({ redisUrl, redisDir, ports }: StartSettings): Promise<StartRedis> {
  if (redisUrl !== undefined) return { url: redisUrl, isOwn: false, stop: async () => {}, stopNow: () => {} };
  findRedis();
  const port = ports.REDIS_PORT;
  const child = ask(port, 'config', 'get', 'dir').includes(redisDir) ? null : await startServer(port, redisDir);
  const stopNow = (): void => void ask(port, 'shutdown');
  return {
    url: `redis://127.0.0.1:${port}`,
    isOwn: true,
    stopNow,
    async stop() {
      stopNow();
      if (child !== null && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

function findRedis(): void {
  const isThere = (name: string): boolean => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0;
  if (isThere('redis-server') && isThere('redis-cli')) return;
  throw new PlainError(
    'There is no redis-server here. Install it (Debian, Ubuntu: apt-get install redis-server; macOS: brew install redis), or set DUEWORK_REDIS_URL to a Redis of your own.',
  );
}

/** What a Redis on this port answers; empty where there is none. */
const ask = (port: number, ...command: string[]): string =>
  spawnSync('redis-cli', ['-p', String(port), ...command], { encoding: 'utf8', timeout: 3_000 }).stdout ?? '';

async function startServer(port: number, dir: string): Promise<ChildProcess> {
  await checkPorts([{ variable: 'REDIS_PORT', port }]);
  mkdirSync(dir, { recursive: true });
  return showProgress('Starting Redis', async () => {
    const settings = { bind: '127.0.0.1', port: String(port), dir, appendonly: 'yes', save: '' };
    const options = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    // a group of its own: Ctrl-C in a terminal would stop it before the worker
    const child = spawn('redis-server', options, { stdio: 'ignore', detached: true });
    let isGone = false;
    child.once('exit', () => (isGone = true));
    for (let waitedMs = 0; !ask(port, 'ping').startsWith('PONG'); waitedMs += LOOK_EVERY_MS) {
      if (isGone || waitedMs > START_MS)
        throw new PlainError(`redis-server did not start on port ${port}. Try it: redis-server ${options.join(' ')}`);
      await pause(LOOK_EVERY_MS);
    }
    return child;
  });
}
