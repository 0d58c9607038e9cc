import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '../../scripts/lib/find-free-port.mjs';
import { onEnd } from '../../scripts/lib/clean-up.mjs';
import { endLeftover, removeDir } from '../../scripts/lib/data-dirs.mjs';

const START_MS = 5_000;
const PREFIX = 'redis-';
const PID_FILE = 'redis.pid';

/** The version of the redis-server on PATH; undefined: there is none. */
export function findRedisVersion() {
  const { stdout } = spawnSync('redis-server', ['--version'], { encoding: 'utf8', timeout: 5_000 });
  return /v=([\d.]+)/.exec(stdout ?? '')?.[1];
}

/** Ends what a run that was killed left running. */
export function endLeftoverRedis(dir) {
  for (const name of readdirSync(dir)) if (name.startsWith(PREFIX)) endLeftover(join(dir, name), PID_FILE);
}

/** A fresh Redis with an append-only file, below `dir`; `appendfsync` says when that is written to the disk. */
export async function startRedis({ dir, appendfsync }) {
  const dataDir = mkdtempSync(join(dir, PREFIX));
  const port = await findFreePort();
  const args = [
    '--port',
    port,
    '--bind',
    '127.0.0.1',
    '--dir',
    dataDir,
    '--save',
    '',
    '--appendonly',
    'yes',
    '--appendfsync',
    appendfsync,
    '--pidfile',
    join(dataDir, PID_FILE),
  ];
  const server = spawn('redis-server', args.map(String), { stdio: ['ignore', 'pipe', 'ignore'] });
  let log = '';
  server.stdout.setEncoding('utf8').on('data', (text) => (log = (log + text).slice(-2_000)));
  const exited = new Promise((resolve) => {
    server.on('error', resolve);
    server.on('exit', resolve);
  });
  const endNow = onEnd(() => {
    server.kill('SIGKILL');
    removeDir(dataDir);
  });
  const begunMs = performance.now();
  while (!log.includes('Ready to accept connections')) {
    if (server.exitCode !== null || performance.now() - begunMs > START_MS)
      throw new Error(`Redis did not start: ${log.trim().split('\n').at(-1)}`);
    await pause(10);
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    serverPid: server.pid,
    async drop() {
      endNow();
      await exited;
    },
  };
}
