import { tmpdir } from 'node:os';

/** Where jest's global setup has put the server and the migrated database to clone. */
export const testServerVariable = 'DUEWORK_TEST_DATABASE_URL';
export const testTemplateVariable = 'DUEWORK_TEST_TEMPLATE';
/** Where the data of test servers is; set where there is a faster place than the usual one for temporary files. */
export const testParentVariable = 'DUEWORK_TEST_DIR';
/** The programs of the PostgreSQL under test, when it is not the embedded one. */
const nativeDirVariable = 'DUEWORK_TEST_NATIVE_DIR';

/** Where the programs of the PostgreSQL under test are, for a file that starts a server of its own; undefined: the embedded ones. */
export function findTestNativeDir(): string | undefined {
  return process.env[nativeDirVariable];
}

/** The folder below which test servers have their data. */
export function findTestParentDir(): string {
  return process.env[testParentVariable] ?? tmpdir();
}
