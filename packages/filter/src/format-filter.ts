import type { JobFilter, JobFilterTerm, Moment } from './filter.js';
import { UNITS_MS } from './read-moment.js';

/** Prints a filter so that `parseFilter` reads the same filter again. */
export function formatFilter({ terms }: JobFilter): string {
  return terms.map(formatTerm).join(' ');
}

function formatTerm(term: JobFilterTerm): string {
  if ('moment' in term) return `${term.field}:${formatMoment(term.moment)}`;
  return (term.isNot ? '-' : '') + formatField(term);
}

function formatField(term: Exclude<JobFilterTerm, { moment: Moment }>): string {
  switch (term.field) {
    case 'payload': {
      const values = term.values.map(({ text, isQuoted }) => (isQuoted ? quote(text) : text));
      return `payload.${term.path.map((name) => quoteWhere(/^$|[\s".:]/, name)).join('.')}:${values.join(',')}`;
    }
    case 'version':
    case 'priority':
    case 'attempts':
      return `${term.field}:${term.values.map(({ operator, value }) => (operator === '=' ? '' : operator) + value).join(',')}`;
    case 'error':
      // one text with blanks in it reads best by itself
      if (term.values.length === 1 && /\s/.test(term.values[0]!)) return quote(term.values[0]!);
      return formatTexts(term);
    default:
      return formatTexts(term);
  }
}

function formatTexts({ field, values }: { readonly field: string; readonly values: readonly string[] }): string {
  return `${field}:${values.map((value) => quoteWhere(/^$|[\s",]/, value)).join(',')}`;
}

function formatMoment(moment: Moment): string {
  if ('at' in moment) return moment.at;
  const [unit, ms] = Object.entries(UNITS_MS).find(([, length]) => moment.agoMs % length === 0)!;
  return `${moment.agoMs / ms}${moment.agoMs === 0 ? 's' : unit}`;
}

const quoteWhere = (pattern: RegExp, text: string): string => (pattern.test(text) ? quote(text) : text);
const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
