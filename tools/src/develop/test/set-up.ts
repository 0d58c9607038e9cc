/**
 * Jest's global setup: one PostgreSQL and one migrated database for the whole test run; every test file clones the latter.
 *
 * The console is tested in a real browser, which is installed where it is missing.
 *
 * DUEWORK_TEST_DATABASE_URL names a server to use instead of the embedded one, for example an older version.
 */
import { testParentVariable } from '@duework/database/testing';
import { setUpTestDatabases } from '@duework/embedded/testing';
import { installChromium } from '../../console/install-chromium.js';
import { findMemoryDir } from './find-memory-dir.js';

export default async function setUp(): Promise<void> {
  // Jest does not run its teardown when it is interrupted
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
  installChromium();
  const memoryDir = findMemoryDir();
  if (memoryDir !== null) process.env[testParentVariable] ??= memoryDir;
  await setUpTestDatabases()();
}
