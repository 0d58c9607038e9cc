/**
 * Jest's global setup: one PostgreSQL and one migrated database for the whole test run; every test file clones the latter.
 *
 * DUEWORK_TEST_DATABASE_URL names a server to use instead of the embedded one, for example an older version.
 */
import { setUpTestDatabases } from '@duework/embedded/testing';

export default async function setUp(): Promise<void> {
  // Jest does not run its teardown when it is interrupted
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
  await setUpTestDatabases()();
}
