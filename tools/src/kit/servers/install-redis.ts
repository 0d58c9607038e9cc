import { installFromDebian } from './install-from-debian.js';
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
