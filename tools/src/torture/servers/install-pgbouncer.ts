import { spawnSync } from 'node:child_process';
import { findPgBouncer } from '../../kit/servers/start-pgbouncer.js';

const HOW =
  'Install it (Debian, Ubuntu: `apt-get install pgbouncer`; macOS: `brew install pgbouncer`), or leave --pgbouncer out.';

/**
 * Installs PgBouncer where it is missing: for root, from the packages of a Debian system.
 *
 * @throws Error with what to do, where it is missing and cannot be installed
 */
export function installPgBouncer(): void {
  if (findPgBouncer() !== null) return;
  if (process.getuid?.() !== 0) throw new Error(`There is no pgbouncer here. ${HOW}`);
  process.stderr.write('Installing PgBouncer from the packages of the system …\n');
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'pgbouncer']]) {
    const { status, error, stderr } = spawnSync('apt-get', args, {
      encoding: 'utf8',
      // apt asks nothing, and does not start its own server (RUNLEVEL), because the lab runs one for itself
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    });
    if (status === 0) continue;
    const why = error?.message ?? stderr.trim().split('\n').at(-1) ?? '';
    throw new Error(`PgBouncer could not be installed (apt-get ${args[0]}: ${why}). ${HOW}`);
  }
  if (findPgBouncer() === null) throw new Error(`apt-get installed pgbouncer, and there is none. ${HOW}`);
}
