export {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type StartEmbeddedPostgresOptions,
} from './start-embedded-postgres.js';
export { stopEmbeddedPostgres } from './stop-embedded-postgres.js';
