import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Test files that run at once install it once. */
const INSTALL = `command -v redis-server > /dev/null || {
  apt-get update && apt-get install -y --no-install-recommends redis-server
}`;

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
  const lock = join(tmpdir(), 'duework-install-redis.lock');
  const { error, stderr } = spawnSync('flock', [lock, 'sh', '-c', INSTALL], {
    encoding: 'utf8',
    // apt asks nothing, and does not start a server of its own
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  });
  if (isInstalled()) return;
  const why = error?.message ?? stderr.trim().split('\n').at(-1) ?? '';
  throw new Error(`Redis could not be installed (${why}). ${how}`);
}

const isInstalled = (): boolean =>
  ['redis-server', 'redis-cli'].every((name) => spawnSync(name, ['--version']).status === 0);
