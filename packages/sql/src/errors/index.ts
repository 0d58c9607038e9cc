/** `@duework/sql/errors`: coded errors, and what a database's error says, for whoever needs no SQL. */
export {
  docsOf,
  DueworkError,
  type AskedFor,
  type DueworkErrorCode,
  type DueworkErrorFacts,
  type FilterIssue,
  type PayloadIssue,
} from './errors.js';
export { brand, hasBrand } from './has-brand.js';
export { isRefusal, readSqlstate } from './read-sqlstate.js';
export {
  findUnstorableText,
  isPlainName,
  isStorableText,
  showValue,
  toPlainName,
  toStorableText,
} from './storable-text.js';
