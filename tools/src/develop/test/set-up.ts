/**
 * Jest's global setup: one PostgreSQL and one migrated database for the whole test run; every test file clones the latter.
 *
 * That database is of yesterday, as it is for whatever runs after midnight: it has a day behind it, and one fewer ahead.
 *
 * The console is tested in a real browser, which is installed where it is missing.
 *
 * DUEWORK_TEST_DATABASE_URL names a server to use instead of the embedded one, for example an older version.
 */
import { testParentVariable, withServer } from '@duework/database/testing';
import { setUpTestDatabases } from '@duework/embedded/testing';
import { installChromium } from '../../console/install-chromium.js';
import { findMemoryDir } from './find-memory-dir.js';

export default async function setUp(): Promise<void> {
  // Jest does not run its teardown when it is interrupted
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
  installChromium();
  const memoryDir = findMemoryDir();
  if (memoryDir !== null) process.env[testParentVariable] ??= memoryDir;
  await setUpTestDatabases({ migrate: (url) => withServer(url, (client) => client.query(MADE_YESTERDAY)) })();
}

const MADE_YESTERDAY = `
  SELECT duework.make_partitions(6, 1);
  DO $$
  DECLARE last_day text := to_char(duework.day_of_id(duework.first_id_today(7)), 'YYYYMMDD');
  BEGIN
    EXECUTE format('DROP TABLE duework.%I, duework.%I', 'job_history_succeeded_' || last_day, 'job_attempts_' || last_day);
  END
  $$`;
