/** `@duework/sql`: statements, the clients and transactions that they are sent through, and values PostgreSQL can hold. */
export { inTransaction } from './clients/in-transaction.js';
export { isClient } from './clients/is-transaction.js';
export { checkOpen, expectedTransaction } from './clients/join-transaction.js';
export { ignoreDefaults } from './clients/ignore-defaults.js';
export { recogniseClient } from './clients/recognise-client.js';
export { isoText } from './statement/iso-text.js';
export type { PgClient, Queryable, RawClient, Statement, Transactable } from './statement/queryable.js';
export { readNow } from './statement/read-now.js';
export { ownTransaction, queryRows } from './statement/query-rows.js';
export { readTransactionId } from './statement/read-transaction-id.js';
export { compose, empty, join, type Sql, sql, toStatement } from './statement/sql.js';
export { statementText } from './statement/statement-text.js';
export { checkName, checkText } from './values/check-text.js';
export { findLostNumber, findMark, markLostNumbers, parseExactly } from './values/find-lost-number.js';
export { isMoment } from './values/is-moment.js';
export { isRowId } from './values/is-row-id.js';
export { isOwnType, ownTypes } from './values/own-types.js';
export { toArray } from './values/to-array.js';
