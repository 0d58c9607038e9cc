export { createTemplateDatabase, type MigrateToo, type TemplateDatabase } from './create-template-database.js';
export { createTestDatabase, type CreateTestDatabaseOptions, type TestDatabase } from './create-test-database.js';
export { fuzz, fuzzVariable } from './fuzz.js';
export { setUpTestDatabases, tearDownTestDatabases, type TestDatabasesOptions } from './set-up-test-databases.js';
export { startTestServer, type StartTestServerOptions, type TestServer } from './start-test-server.js';
export { findTestNativeDir, testServerVariable, testTemplateVariable } from './test-server-env.js';
