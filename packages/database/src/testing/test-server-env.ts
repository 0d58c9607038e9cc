/** Where jest's global setup left the server and the migrated database to clone. */
export const testServerVariable = 'DUEWORK_TEST_DATABASE_URL';
export const testTemplateVariable = 'DUEWORK_TEST_TEMPLATE';
