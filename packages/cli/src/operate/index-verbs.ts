/** What lists and rebuilds indexes, in a file of its own: it is loaded when that is asked for, and not with the program. */
export { openOwnerSession } from '@duework/database';
export { careForIndexes, listIndexes } from '@duework/operate';
