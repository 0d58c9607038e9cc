import type { FilterError } from './filter-error.js';
import type { JobFilter, JobFilterTerm } from './filter.js';
import type { Place } from './place.js';
import { type FilterOptions, readTerm } from './read-term.js';
import { readTokens, type TermToken } from './read-tokens.js';
import { refuse, Refusal } from './refuse.js';

const MAX_LENGTH = 4_000;
const MAX_TERMS = 20;
/** Of all terms together: each may be compared with every job that is looked at. */
const MAX_VALUES = 200;

/** A filter and where each of its terms stands, or everything that is wrong with the text. */
export type ParsedFilter =
  | { readonly isOk: true; readonly filter: JobFilter; readonly places: readonly Place[] }
  | { readonly isOk: false; readonly errors: readonly FilterError[] };

/**
 * Reads a filter: terms with blanks between them, all of which a job has to fit. An empty text fits every job. Never
 * throws: what is wrong comes back as data, in the order of the text.
 */
export function parseFilter(text: string, options: FilterOptions = {}): ParsedFilter {
  const errors: FilterError[] = [];
  const attempt = <T>(read: () => T): T | null => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      errors.push(error.error);
      return null;
    }
  };
  const tokens = attempt(() => readAll(text)) ?? [];
  const terms = tokens.flatMap((token) => attempt(() => readTerm(token, options)) ?? []);
  if (errors.length === 0) attempt(() => checkRepeats(terms, tokens));
  if (errors.length > 0) return { isOk: false, errors };
  return { isOk: true, filter: { terms }, places: tokens.map(({ from, to }) => ({ from, to })) };
}

function readAll(text: string): TermToken[] {
  if (text.length > MAX_LENGTH)
    refuse('too_long', { from: MAX_LENGTH, to: text.length }, `A filter has at most ${MAX_LENGTH} characters.`);
  const tokens = readTokens(text);
  const [tooMany] = tokens.slice(MAX_TERMS);
  if (tooMany !== undefined)
    refuse('too_many_terms', { from: tooMany.from, to: text.length }, `A filter has at most ${MAX_TERMS} terms.`);
  let values = 0;
  for (const token of tokens) {
    values += token.values.length;
    if (values > MAX_VALUES)
      refuse('too_many_values', token, `A filter takes at most ${MAX_VALUES} values in all.`, 'Split the filter.');
  }
  return tokens;
}

/** Two lists of values for one field would fit only what is in both: nobody means that. */
function checkRepeats(terms: readonly JobFilterTerm[], tokens: readonly TermToken[]): void {
  const seen = new Set<string>();
  terms.forEach((term, index) => {
    const isRange = term.field === 'version' || term.field === 'priority' || term.field === 'attempts';
    if (term.field === 'error' || isRange || ('isNot' in term && term.isNot)) return;
    const name = term.field === 'payload' ? JSON.stringify(term.path) : term.field;
    if (seen.has(name))
      refuse(
        'repeated_field',
        tokens[index]!,
        `${term.field} is given twice, and a job must match both.`,
        'moment' in term
          ? null
          : `Alternatives are written with a comma: ${term.field === 'payload' ? 'payload.a:1,2' : `${term.field}:one,two`}`,
      );
    seen.add(name);
  });
}
