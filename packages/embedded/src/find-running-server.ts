import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { databaseUrl } from './database-url.js';
import { isAlive, isZombie } from './is-alive.js';
import { readPassword } from './init-data-dir.js';

/** What a running server wrote into postmaster.pid: line 1 its process, 4 its port, 8 its state. */
function readPidFile(dataDir: string): { pid: number; port: number; state: string } | undefined {
  try {
    const lines = readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]), state: (lines[7] ?? '').trim() };
  } catch {
    return undefined;
  }
}

/**
 * Whether the server on that port is the one of this folder: any other would refuse the password or name another
 * folder.
 */
async function isOurs(dataDir: string, port: number): Promise<boolean> {
  const client = new pg.Client({
    connectionString: databaseUrl(port, readPassword(dataDir), 'postgres'),
    connectionTimeoutMillis: 2_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ dir: string }>(`SELECT current_setting('data_directory') AS dir`);
    return rows[0]?.dir === dataDir;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * The port of a server that still runs on this data folder, because the program that started it was killed; `undefined`
 * when there is none. Waits 10 s at most for one that is just starting or stopping.
 */
export async function findRunningServer(dataDir: string): Promise<number | undefined> {
  for (let tries = 0; tries < 100; tries += 1) {
    const server = readPidFile(dataDir);
    if (server === undefined || !isAlive(server.pid)) return undefined;
    if (isZombie(server.pid)) {
      // PostgreSQL takes it for a running server and would refuse to start. Backends that outlived it are still seen,
      // by their shared memory.
      rmSync(join(dataDir, 'postmaster.pid'), { force: true });
      return undefined;
    }
    if (server.state === 'ready') return (await isOurs(dataDir, server.port)) ? server.port : undefined;
    await wait(100);
  }
  return undefined;
}
