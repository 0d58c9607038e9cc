import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { onEnd } from '../clean-up.js';
import { endLeftover, removeDir } from '../data-dirs.js';
import { findFreePort } from '../find-free-port.js';
import { waitUntil } from '../wait-until.js';

const START_MS = 5_000;
const PREFIX = 'redis-';
const PID_FILE = 'redis.pid';

/** The version of the redis-server on PATH; undefined: it is not installed. */
export function findRedisVersion(): string | undefined {
  const { stdout } = spawnSync('redis-server', ['--version'], { encoding: 'utf8', timeout: 5_000 });
  return /v=([\d.]+)/.exec(stdout ?? '')?.[1];
}

/** Ends every Redis that a killed run has left running below `dir`. */
export function endLeftoverRedis(dir: string): void {
  for (const name of readdirSync(dir)) if (name.startsWith(PREFIX)) endLeftover(join(dir, name), PID_FILE);
}

export interface StartedRedis {
  readonly url: string;
  readonly serverPid: number | undefined;
  /** Kills it, and resolves when it has ended and its data is removed. */
  drop(): Promise<void>;
}

export interface StartRedisOptions {
  readonly dir: string;
  /** How often the append-only file is flushed to the disk. */
  readonly appendfsync: 'always' | 'everysec' | 'no';
}

/** A fresh Redis with an append-only file, below `dir`. */
export async function startRedis({ dir, appendfsync }: StartRedisOptions): Promise<StartedRedis> {
  const dataDir = mkdtempSync(join(dir, PREFIX));
  const port = await findFreePort();
  const address = ['--port', String(port), '--bind', '127.0.0.1'];
  const files = ['--dir', dataDir, '--save', '', '--pidfile', join(dataDir, PID_FILE)];
  const durability = ['--appendonly', 'yes', '--appendfsync', appendfsync];
  const server = spawn('redis-server', [...address, ...files, ...durability], { stdio: ['ignore', 'pipe', 'ignore'] });
  let log = '';
  let hasEnded = false;
  server.stdout.setEncoding('utf8').on('data', (text: string) => (log = (log + text).slice(-2_000)));
  const exited = new Promise<void>((resolve) => {
    const end = (): void => {
      hasEnded = true;
      resolve();
    };
    server.on('error', end);
    server.on('exit', end);
  });
  const endNow = onEnd(() => {
    server.kill('SIGKILL');
    removeDir(dataDir);
  });
  const isReady = (): boolean => {
    if (hasEnded) throw new Error(`Redis did not start: ${log.trim().split('\n').at(-1)}`);
    return log.includes('Ready to accept connections');
  };
  await waitUntil('Redis was not ready', isReady, { limitMs: START_MS, everyMs: 10 });
  return {
    url: `redis://127.0.0.1:${port}`,
    serverPid: server.pid,
    async drop() {
      endNow();
      await exited;
    },
  };
}
