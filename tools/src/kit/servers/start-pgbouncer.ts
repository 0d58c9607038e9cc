import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { onEnd } from '../clean-up.js';
import { endLeftover } from '../data-dirs.js';
import { findFreePort } from '../find-free-port.js';
import { waitUntil } from '../wait-until.js';

const START_MS = 5_000;
const FOLDER = 'pgbouncer';
const PID_FILE = 'pgbouncer.pid';

/** Ends the PgBouncer that a killed run has left behind. */
export const endLeftoverPgBouncer = (parent: string): void => endLeftover(join(parent, FOLDER), PID_FILE);

/** When root runs the tool, PgBouncer runs as another user, because it refuses to be root. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout);
  return { uid: idOf('-u'), gid: idOf('-g') };
}

export interface StartedPgBouncer {
  readonly port: number;
  stop(): void;
}

/**
 * The path of the program: on PATH, or where Debian puts it, which is on root's PATH only; null: it is not installed.
 */
export function findPgBouncer(): string | null {
  const isThere = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
  return ['pgbouncer', '/usr/sbin/pgbouncer'].find(isThere) ?? null;
}

export type PoolMode = 'session' | 'transaction' | 'statement';

export interface StartPgBouncerOptions {
  /** The folder in which its own is made. */
  readonly dir: string;
  readonly url: string;
  /** Transaction mode unless given. */
  readonly mode?: PoolMode;
  /** It takes `options` at the start of a session, and ignores them; true unless given. */
  readonly areOptionsIgnored?: boolean;
}

/** A PgBouncer before the server of `url`; null where it is not installed. */
export async function startPgBouncer(options: StartPgBouncerOptions): Promise<StartedPgBouncer | null> {
  const program = findPgBouncer();
  if (program === null) return null;
  const dir = join(options.dir, FOLDER);
  mkdirSync(dir);
  chmodSync(dir, 0o755);
  const port = await findFreePort();
  const config = join(dir, 'pgbouncer.ini');
  writeFileSync(config, describeConfig(options, port));
  const child = spawn(program, ['-q', config], { stdio: 'ignore', cwd: dir, ...unprivileged() });
  writeFileSync(join(dir, PID_FILE), String(child.pid));
  const end = onEnd(() => child.kill('SIGKILL'));
  const isReady = (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error('PgBouncer did not start.');
    return isListening(port);
  };
  await waitUntil('PgBouncer was not ready', isReady, { limitMs: START_MS });
  return { port, stop: end };
}

function describeConfig(
  { url, mode = 'transaction', areOptionsIgnored = true }: StartPgBouncerOptions,
  port: number,
): string {
  const target = new URL(url);
  const database = target.pathname.slice(1);
  return `[databases]
${database} = host=127.0.0.1 port=${target.port} dbname=${database} user=${target.username} password=${decodeURIComponent(target.password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 10
max_client_conn = 200
server_login_retry = 1
${areOptionsIgnored ? 'ignore_startup_parameters = options\n' : ''}server_connect_timeout = 3
`;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
