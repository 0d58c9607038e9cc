/** What lists and rebuilds indexes, apart. */
export { openOwnerSession } from '@duework/database';
export { careForIndexes, listIndexes } from '@duework/operate';
