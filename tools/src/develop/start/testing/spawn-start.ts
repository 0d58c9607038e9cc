import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '@duework/database/testing';
import { root } from '../../../../bootstrap/paths.mjs';
import { findFreePort } from '../../../kit/find-free-port.js';
import { waitUntil } from '../../../kit/wait-until.js';

const PORTS = ['API_PORT', 'WORKER_PORT', 'MAILBOX_PORT', 'SMTP_PORT', 'REDIS_PORT'];

export interface SpawnOptions {
  readonly args?: readonly string[];
  /** More of its environment. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface SpawnedStart {
  readonly process: ChildProcess;
  readonly url: string;
  readonly mailboxUrl: string;
  readonly databaseUrl: string;
  /** What it has written until now. */
  said(): string;
  /** Resolves when everything answers; rejects when it ends before. */
  untilReady(): Promise<void>;
  /** The process id of one of its programs, once that is started. */
  pidOf(name: string): Promise<number>;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>;
  /** Tells it to stop, and resolves with its exit code. */
  stop(): Promise<number | null>;
  /** Stops it, and removes its database and its files. */
  remove(): Promise<void>;
}

/** Runs `npm start`, as far as it comes after the build, on a database, ports and a folder of its own. */
export async function spawnStart({ args = [], env = {} }: SpawnOptions = {}): Promise<SpawnedStart> {
  const stateDir = mkdtempSync(join(tmpdir(), 'duework-start-'));
  const database = await createTestDatabase();
  const ports = Object.fromEntries(await Promise.all(PORTS.map(async (name) => [name, String(await findFreePort())])));
  const { PATH } = process.env;
  const child = spawn(process.execPath, [join(root, 'tools/dist/src/develop/start/main.js'), ...args], {
    cwd: root,
    env: { PATH, DATABASE_URL: database.url, DUEWORK_STATE_DIR: stateDir, SHOP_ORDERS: 'off', ...ports, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const until = <T>(what: string, look: () => T | false | undefined): Promise<T> =>
    waitUntil(
      what,
      () => {
        if (child.exitCode !== null) throw new Error(`It has ended: ${said}`);
        return look();
      },
      { limitMs: 60_000 },
    );
  const readPid = (name: string): number | undefined => {
    try {
      const { services } = JSON.parse(readFileSync(join(stateDir, 'running.json'), 'utf8')) as {
        services: readonly { name: string; pid: number }[];
      };
      return services.find((service) => service.name === name)?.pid;
    } catch {
      return undefined;
    }
  };
  const stop = (): Promise<number | null> => {
    child.kill('SIGTERM');
    return ended;
  };
  return {
    process: child,
    url: `http://127.0.0.1:${ports['API_PORT']}`,
    mailboxUrl: `http://127.0.0.1:${ports['MAILBOX_PORT']}`,
    databaseUrl: database.url,
    said: () => said,
    untilReady: async () => void (await until('It did not start', () => said.includes('Ctrl-C stops everything.'))),
    pidOf: (name) => until(`The ${name} was not started`, () => readPid(name)),
    ended,
    stop,
    async remove() {
      await stop();
      await database.drop();
      rmSync(stateDir, { recursive: true });
    },
  };
}
