import { installFromDebian } from './install-from-debian.js';
import { findPgBouncer } from './start-pgbouncer.js';

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
