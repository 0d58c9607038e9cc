import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './paths.mjs';

/**
 * Gives `work` the URL of a fresh database on a server of its own, and removes both afterwards, also when it is
 * interrupted. Needs the build of packages/database.
 *
 * @template T
 * @param {(url: string) => Promise<T>} work
 * @param {{ isMigrated?: boolean }} options - `false` gives an empty one
 * @returns {Promise<T>}
 */
export async function withFreshDatabase(work, { isMigrated = true } = {}) {
  const testing = await import(join(root, 'packages/database/dist/testing/index.js'));
  let stopNow = () => {};
  const onExit = () => stopNow();
  const onSignal = () => process.exit(130);
  process.once('exit', onExit);
  // not once: a second Ctrl-C would then end the cleaning-up after the first
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal);
  const server = await testing.startTestServer({ onPrepared: (stop) => (stopNow = stop) });
  try {
    if (!isMigrated) return await work(server.url);
    const template = await testing.createTemplateDatabase(server.url);
    const url = new URL(server.url);
    url.pathname = `/${template.name}`;
    return await work(url.toString());
  } finally {
    await server.stop();
    process.removeListener('exit', onExit);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeListener(signal, onSignal);
  }
}

/** The PostgreSQL driver of packages/database; the root has none. */
export const requirePg = () => createRequire(join(root, 'packages/database/package.json'))('pg');
