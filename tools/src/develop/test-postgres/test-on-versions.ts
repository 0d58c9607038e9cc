import { startTestServer } from '@duework/embedded';
import { formatTotals, type JestResult, runJest } from '../test/run-jest.js';
import { installPostgres } from './install-postgres.js';

/**
 * Runs jest on one version of PostgreSQL after the other and prints a line for each.
 *
 * @returns the exit code
 */
export async function testOnVersions(versions: readonly string[], jestArgs: readonly string[]): Promise<number> {
  let stopNow = (): void => {};
  process.once('exit', () => stopNow());
  // After Ctrl-C this process waits for jest to end, and then ends itself.
  const interruption = { hasCome: false };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => (interruption.hasCome = true));

  const results: (JestResult & { readonly version: string })[] = [];
  for (const wanted of versions) {
    if (interruption.hasCome) break;
    const { version, nativeDir } = await installPostgres(wanted);
    const server = await startTestServer({ nativeDir, onPrepared: (stop) => (stopNow = stop) });
    process.stdout.write(`\nPostgreSQL ${version}\n`);
    const env = { DUEWORK_TEST_DATABASE_URL: server.url, DUEWORK_TEST_NATIVE_DIR: nativeDir };
    results.push({ version, ...(await runJest(jestArgs, env)) });
    await server.stop();
    stopNow = () => {};
  }
  process.stdout.write('\n');
  for (const result of results)
    process.stdout.write(`PostgreSQL ${result.version.padEnd(18)} ${formatTotals(result)}\n`);
  return interruption.hasCome || results.some(({ code }) => code !== 0) ? 1 : 0;
}
