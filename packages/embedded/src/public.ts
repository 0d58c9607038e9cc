/** What `@duework/embedded` promises to users; the rest of index.ts is for this repository's own tests. */
export {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type StartEmbeddedPostgresOptions,
} from './start-embedded-postgres.js';
