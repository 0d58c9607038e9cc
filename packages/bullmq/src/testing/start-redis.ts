import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findRedis } from './find-redis.js';

export interface RedisServer {
  readonly port: number;
  readonly pid: number;
  /** Its data. */
  readonly dir: string;
  /** A connection of its own, which its caller closes. */
  connect(): Redis;
  /** Kills it at once, as a crash does; what it has on its disk stays. */
  kill(): Promise<void>;
  /** Starts what was killed, on the same port with the same data. */
  start(): Promise<void>;
  /** Ends it, and removes its data. */
  stop(): Promise<void>;
}

/** Whether it answers with an error until it has its data, or the address is not there yet. */
const WAIT_MS = 120_000;

/**
 * Starts a Redis on a port of this machine alone, which appends each write to its file.
 *
 * @param settings beside those, or instead: `{ appendfsync: 'everysec' }`
 */
export async function startRedis(settings: Readonly<Record<string, string>> = {}): Promise<RedisServer> {
  findRedis();
  const dir = mkdtempSync(join(tmpdir(), 'duework-redis-'));
  const port = await findPort();
  let child = await startOn(port, dir, settings);
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return {
    port,
    dir,
    get pid() {
      return child.pid!;
    },
    connect: () => new Redis(port, '127.0.0.1', { maxRetriesPerRequest: null }),
    kill,
    async start() {
      child = await startOn(port, dir, settings);
    },
    async stop() {
      await kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function startOn(port: number, dir: string, settings: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const all = {
    bind: '127.0.0.1',
    port: String(port),
    dir,
    save: '',
    appendonly: 'yes',
    appendfsync: 'always',
    ...settings,
  };
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn('redis-server', args, { stdio: 'ignore' });
  const client = new Redis(port, '127.0.0.1', { maxRetriesPerRequest: null, retryStrategy: () => 10 });
  client.on('error', () => {});
  const gone = once(child, 'exit').then(() => {
    throw new Error(`redis-server ended before it answered (port ${port}).`);
  });
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('redis-server did not answer.')), WAIT_MS).unref();
  });
  try {
    await Promise.race([client.ping(), gone, late]);
  } finally {
    gone.catch(() => {});
    client.disconnect();
  }
  return child;
}

/**
 * A port that is free at this moment, below those that the system gives to outgoing connections; the members of a cluster
 * speak to each other on one that is 10,000 higher.
 */
async function findPort(): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 22_000);
    if ((await isFree(port)) && (await isFree(port + 10_000))) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    if (server.listening) {
      server.close();
      await once(server, 'close');
    }
  }
}
