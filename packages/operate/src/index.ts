export { compileFilter, type RowOf } from './search/sql/compile-filter.js';
