/** What compares and writes contracts, apart. */
export { EMPTY_LOCK, formatLock, lockContracts } from '@duework/contracts';
export { pushContracts } from '@duework/queue-core';
export { checkDatabasePayloads } from './check-database.js';
export { checkLock } from './check-lock.js';
export { writeDocs } from './docs/write-docs.js';
export { readLock } from './read-lock.js';
