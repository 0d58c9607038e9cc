import type { Place } from './place.js';

/** Every code with which a filter is refused. A code is stable. */
export type FilterErrorCode =
  | 'unknown_field'
  | 'word_alone'
  | 'missing_value'
  | 'missing_path'
  | 'unclosed_quote'
  | 'misplaced_quote'
  | 'invalid_character'
  | 'unknown_status'
  | 'unknown_gate'
  | 'invalid_id'
  | 'invalid_name'
  | 'invalid_number'
  | 'invalid_moment'
  | 'no_word'
  | 'not_negatable'
  | 'not_several'
  | 'repeated_field'
  | 'too_long'
  | 'too_many_terms'
  | 'too_many_values';

/**
 * What is wrong with a filter, and where: from the character `from` up to the one before `to`, counted as JavaScript
 * counts. `hint` is what to write instead, or null.
 */
export interface FilterError extends Place {
  readonly code: FilterErrorCode;
  readonly message: string;
  readonly hint: string | null;
}
