import { spawnSync } from 'node:child_process';

/**
 * Sees to it that there are `redis-server` and `redis-cli`: root has them installed from the packages of a Debian system.
 *
 * @throws Error with what to do, where they are missing and cannot be installed
 */
export function findRedis(): void {
  if (isInstalled()) return;
  const how =
    'Install it (Debian, Ubuntu: `apt-get install redis-server`; macOS: `brew install redis`): these tests need a real one.';
  if (process.getuid?.() !== 0) throw new Error(`There is no redis-server here. ${how}`);
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'redis-server']]) {
    const { status, error, stderr } = spawnSync('apt-get', args, {
      encoding: 'utf8',
      // apt asks nothing, and does not start a server of its own
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    });
    if (status === 0) continue;
    const why = error?.message ?? stderr.trim().split('\n').at(-1) ?? '';
    throw new Error(`Redis could not be installed (apt-get ${args[0]}: ${why}). ${how}`);
  }
  if (!isInstalled()) throw new Error(`apt-get installed redis-server, and there is none. ${how}`);
}

const isInstalled = (): boolean =>
  ['redis-server', 'redis-cli'].every((name) => spawnSync(name, ['--version']).status === 0);
