/**
 * Jest's global setup: one PostgreSQL and one migrated database for the whole test run; every test file clones the latter.
 *
 * DUEWORK_TEST_DATABASE_URL names a server to use instead of the embedded one, for example an older version.
 */
import { createTemplateDatabase, testServerVariable, testTemplateVariable } from '@duework/database/testing';
import { startTestServer } from '@duework/embedded/testing';
import { keepTearDown } from './tear-down.js';

export default async function setUp(): Promise<void> {
  // Jest does not run its teardown when it is interrupted.
  let stopNow = (): void => {};
  const onExit = (): void => stopNow();
  process.once('exit', onExit);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));

  const given = process.env[testServerVariable];
  const server = given ? undefined : await startTestServer({ onPrepared: (stop) => (stopNow = stop) });
  const url = server?.url ?? given ?? '';
  const template = await createTemplateDatabase(url);
  process.env[testServerVariable] = url;
  process.env[testTemplateVariable] = template.name;
  keepTearDown(async () => {
    await template.drop();
    await server?.stop();
    process.removeListener('exit', onExit);
  });
}
