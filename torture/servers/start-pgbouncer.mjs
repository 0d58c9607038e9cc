import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onEnd } from '../../scripts/lib/clean-up.mjs';
import { endLeftover } from '../../scripts/lib/data-dirs.mjs';
import { findFreePort } from '../../scripts/lib/find-free-port.mjs';

const WAIT_MS = 50;
const TRIES = 100;
const FOLDER = 'pgbouncer';
const PID_FILE = 'pgbouncer.pid';

/** Ends the one that a torture which was killed has left. */
export const endLeftoverPgBouncer = (parent) => endLeftover(join(parent, FOLDER), PID_FILE);

/** For root it runs as somebody else: it refuses to be root. */
function unprivileged() {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout);
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** A PgBouncer in transaction mode before a server; null where there is none on PATH. */
export async function startPgBouncer({ dir: parent, url }) {
  if (spawnSync('pgbouncer', ['--version'], { stdio: 'ignore' }).status !== 0) return null;
  const dir = join(parent, FOLDER);
  mkdirSync(dir);
  chmodSync(dir, 0o755);
  const target = new URL(url);
  const port = await findFreePort();
  const database = target.pathname.slice(1);
  const config = join(dir, 'pgbouncer.ini');
  writeFileSync(
    config,
    `[databases]
${database} = host=127.0.0.1 port=${target.port} dbname=${database} user=${target.username} password=${decodeURIComponent(target.password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 10
max_client_conn = 200
server_login_retry = 1
ignore_startup_parameters = options
server_connect_timeout = 3
`,
  );
  const child = spawn('pgbouncer', ['-q', config], { stdio: 'ignore', cwd: dir, ...unprivileged() });
  writeFileSync(join(dir, PID_FILE), String(child.pid));
  const end = onEnd(() => child.kill('SIGKILL'));
  for (let tries = 0; !(await isListening(port)); tries++) {
    if (tries === TRIES || child.exitCode !== null) throw new Error('PgBouncer did not start.');
    await pause(WAIT_MS);
  }
  return { port, stop: end };
}

function isListening(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
