/** As `globalTeardown` of Jest, which does not await what its setup returns. */
export { tearDownTestDatabases as default } from './set-up-test-databases.js';
