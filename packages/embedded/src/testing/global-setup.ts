/**
 * What other projects test with, in Jest and in Vitest. The default export is the global setup for those who need nothing but
 * Duework's schema; `setUpTestDatabases` makes one that migrates their own as well.
 */
import { setUpTestDatabases } from './set-up-test-databases.js';

export { createTestDatabase, type CreateTestDatabaseOptions, type TestDatabase } from '@duework/database/testing';
export { setUpTestDatabases, tearDownTestDatabases, type TestDatabasesOptions } from './set-up-test-databases.js';
export default setUpTestDatabases();
