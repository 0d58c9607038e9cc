export {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type StartEmbeddedPostgresOptions,
} from './start-embedded-postgres.js';
export { stopEmbeddedPostgres, stopEmbeddedPostgresNow } from './stop-embedded-postgres.js';
export { startTestServer, type StartTestServerOptions, type TestServer } from './testing/start-test-server.js';
