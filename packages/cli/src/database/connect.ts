/** What connects, apart: it is loaded when a database is asked. */
export { checkDatabase, connectPg } from '@duework/database';
