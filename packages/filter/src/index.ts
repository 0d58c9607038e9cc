export {
  FILTER_STATUSES,
  HELD_BY,
  type HeldBy,
  type HeldTerm,
  type Comparison,
  type ErrorTerm,
  type FilterStatus,
  type JobFilter,
  type JobFilterTerm,
  type Moment,
  type MomentTerm,
  type NumberTerm,
  type PayloadTerm,
  type PayloadValue,
  type StatusTerm,
  type TextTerm,
} from './filter.js';
export type { FilterError, FilterErrorCode } from './filter-error.js';
export { fixMoments } from './fix-moments.js';
export { formatFilter } from './format-filter.js';
export { parseFilter, type ParsedFilter } from './parse-filter.js';
export type { Place } from './place.js';
export { FILTER_FIELDS, type FilterOptions, SHARD_FIELDS } from './read-term.js';
export { readTokens, type TermToken, type ValueToken } from './read-tokens.js';
export { nameFilterIds, type ShardPlaces, splitByShard } from './split-by-shard.js';
