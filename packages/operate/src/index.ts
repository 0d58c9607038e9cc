export { countJobs } from './search/count-jobs.js';
export { readFilter } from './search/read-filter.js';
export { searchJobs, type JobSearchOptions, type JobSearchPage } from './search/search-jobs.js';
export { compileFilter, type RowOf } from './search/sql/compile-filter.js';
export type { JobCount } from '@duework/queue-core/internals';
