import { spawnSync } from 'node:child_process';

const HOW =
  'Install it (Debian, Ubuntu: `apt-get install pgbouncer`; macOS: `brew install pgbouncer`), or leave --pgbouncer out.';

const isInstalled = (): boolean => spawnSync('pgbouncer', ['--version'], { stdio: 'ignore' }).status === 0;

/**
 * Sees to it that there is a PgBouncer on PATH: for root it comes from the packages of the system, where these are Debian's.
 *
 * @throws Error with what to do, where there is none and it cannot be had
 */
export function installPgBouncer(): void {
  if (isInstalled()) return;
  if (process.getuid?.() !== 0) throw new Error(`There is no pgbouncer on PATH. ${HOW}`);
  process.stderr.write('Installing PgBouncer from the packages of the system …\n');
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'pgbouncer']]) {
    const { status, error, stderr } = spawnSync('apt-get', args, {
      encoding: 'utf8',
      // it asks nothing; and its own server is not started (RUNLEVEL), because the lab runs one for itself
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    });
    if (status === 0) continue;
    const why = error?.message ?? stderr.trim().split('\n').at(-1) ?? '';
    throw new Error(`PgBouncer could not be installed (apt-get ${args[0]}: ${why}). ${HOW}`);
  }
  if (!isInstalled()) throw new Error(`apt-get installed pgbouncer, and there is none on PATH. ${HOW}`);
}
