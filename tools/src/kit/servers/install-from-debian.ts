import { spawnSync } from 'node:child_process';
import { findPgBouncer } from './start-pgbouncer.js';
import { findRedisVersion } from './start-redis.js';

/**
 * Installs Redis where it is missing.
 *
 * @throws Error with what to do, where it is missing and cannot be installed
 */
export function installRedis(): void {
  installFromDebian({
    title: 'Redis',
    name: 'redis-server',
    isInstalled: () => findRedisVersion() !== undefined,
    how: 'Install it (Debian, Ubuntu: `apt-get install redis-server`; macOS: `brew install redis`).',
  });
}

/**
 * Installs PgBouncer where it is missing.
 *
 * @throws Error with what to do, where it is missing and cannot be installed
 */
export function installPgBouncer(): void {
  installFromDebian({
    title: 'PgBouncer',
    name: 'pgbouncer',
    isInstalled: () => findPgBouncer() !== null,
    how: 'Install it (Debian, Ubuntu: `apt-get install pgbouncer`; macOS: `brew install pgbouncer`), or leave --pgbouncer out.',
  });
}

interface DebianPackage {
  /** What it is called in sentences. */
  readonly title: string;
  readonly name: string;
  readonly isInstalled: () => boolean;
  /** What to do where it cannot be installed. */
  readonly how: string;
}

/**
 * Installs a program where it is missing: for root, from the packages of a Debian system.
 *
 * @throws Error with what to do, where it is missing and cannot be installed
 */
export function installFromDebian({ title, name, isInstalled, how }: DebianPackage): void {
  if (isInstalled()) return;
  if (process.getuid?.() !== 0) throw new Error(`There is no ${name} here. ${how}`);
  process.stderr.write(`Installing ${title} from the packages of the system …\n`);
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', name]]) {
    const { status, error, stderr } = spawnSync('apt-get', args, {
      encoding: 'utf8',
      // apt asks nothing, and does not start its own server (RUNLEVEL), because the tool runs one for itself
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    });
    if (status === 0) continue;
    const why = error?.message ?? stderr.trim().split('\n').at(-1) ?? '';
    throw new Error(`${title} could not be installed (apt-get ${args[0]}: ${why}). ${how}`);
  }
  if (!isInstalled()) throw new Error(`apt-get installed ${name}, and there is none. ${how}`);
}
