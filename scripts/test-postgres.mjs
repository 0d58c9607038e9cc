/**
 * `npm run test:postgres -- 14 15 16 17`: the tests on other versions of PostgreSQL, one after the other; all of them when
 * none is named. What is no number goes to jest: `-- 14 packages/queue-core`. Ends with a table.
 */
import { checkNode } from './lib/check-node.mjs';

checkNode();

async function main() {
  const { join } = await import('node:path');
  const { runMain } = await import('./lib/run-main.mjs');
  const { ensureInstalled } = await import('./lib/ensure-installed.mjs');
  const { runTurbo } = await import('./lib/run-turbo.mjs');
  const { root } = await import('./lib/paths.mjs');
  const { formatTotals, runJest } = await import('./testing/run-jest.mjs');
  const { installPostgres, postgresVersions } = await import('./testing/install-postgres.mjs');

  await runMain(async () => {
    const isVersion = (argument) => /^\d+(\.\d+)*(-\S+)?$/.test(argument);
    const given = process.argv.slice(2).filter(isVersion);
    const jestArgs = process.argv.slice(2).filter((argument) => !isVersion(argument));
    const { pnpmDir } = await ensureInstalled();
    await runTurbo({ task: 'build', label: 'Building', pnpmDir });
    const { startTestServer } = await import(join(root, 'packages/database/dist/testing/index.js'));

    let stopNow = () => {};
    process.once('exit', () => stopNow());
    // While jest runs, Ctrl-C is answered by waiting for it; then there is nothing left to do.
    let isInterrupted = false;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => (isInterrupted = true));

    const results = [];
    for (const wanted of given.length > 0 ? given : Object.keys(postgresVersions)) {
      if (isInterrupted) break;
      const { version, nativeDir } = await installPostgres(wanted);
      const server = await startTestServer({ nativeDir, onPrepared: (stop) => (stopNow = stop) });
      process.stdout.write(`\nPostgreSQL ${version}\n`);
      results.push({
        version,
        ...(await runJest(jestArgs, { DUEWORK_TEST_DATABASE_URL: server.url, DUEWORK_TEST_NATIVE_DIR: nativeDir })),
      });
      await server.stop();
      stopNow = () => {};
    }
    process.stdout.write('\n');
    for (const result of results)
      process.stdout.write(`PostgreSQL ${result.version.padEnd(18)} ${formatTotals(result)}\n`);
    return isInterrupted || results.some(({ code }) => code !== 0) ? 1 : 0;
  });
}

void main();
