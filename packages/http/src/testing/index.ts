export { ask, useTestApi, type AnyJson, type Answer, type TestApi } from './use-test-api.js';
export { waitUntil } from './wait-until.js';
