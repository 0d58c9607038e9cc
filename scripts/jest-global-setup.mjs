/**
 * One PostgreSQL and one migrated database for the whole test run; every test file clones the latter.
 *
 * DUEWORK_TEST_DATABASE_URL names a server to use instead of the embedded one, for example an older version.
 */
import { existsSync } from 'node:fs';

const built = new URL('../packages/database/dist/testing/index.js', import.meta.url);

export default async function setUp() {
  if (!existsSync(built)) throw new Error('Not built yet. Run: npm test (or: npm run build)');
  const { createTemplateDatabase, startTestServer, testServerVariable, testTemplateVariable } = await import(
    built.href
  );

  // Jest does not run its teardown when it is interrupted.
  let stopNow = () => {};
  const onExit = () => stopNow();
  process.once('exit', onExit);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));

  const given = process.env[testServerVariable];
  const server = given ? undefined : await startTestServer({ onPrepared: (stop) => (stopNow = stop) });
  const url = given ?? server.url;
  const template = await createTemplateDatabase(url);
  process.env[testServerVariable] = url;
  process.env[testTemplateVariable] = template.name;
  globalThis.dueworkTearDown = async () => {
    await template.drop();
    await server?.stop();
    process.removeListener('exit', onExit);
  };
}
