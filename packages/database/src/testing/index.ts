export { connectPatiently } from './connect-patiently.js';
export { createTemplateDatabase, type MigrateToo, type TemplateDatabase } from './create-template-database.js';
export { createTestDatabase, type CreateTestDatabaseOptions, type TestDatabase } from './create-test-database.js';
export { describeDuework, describeOthers } from './describe-catalog.js';
export { fuzz, fuzzVariable } from './fuzz.js';
export { makeTestDir, testDirPrefix } from './make-test-dir.js';
export { openGate, refuseWith, type Gate } from './open-gate.js';
export {
  findTestNativeDir,
  findTestParentDir,
  testParentVariable,
  testServerVariable,
  testTemplateVariable,
} from './test-server-env.js';
export { withDatabaseName, withServer } from './with-server.js';
