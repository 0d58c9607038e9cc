import type { JobFilter } from '@duework/filter';

const HIDDEN = '…';

/** A filter without the values that it asks for in these fields, for whoever may not know them. */
export function hideValues({ terms }: JobFilter, fields: readonly ('payload' | 'key' | 'error')[]): JobFilter {
  return {
    terms: terms.map((term) => {
      if (!fields.includes(term.field as never)) return term;
      if (term.field === 'payload') return { ...term, values: [{ text: HIDDEN, isQuoted: false }] };
      return term.field === 'key' || term.field === 'error' ? { ...term, values: [HIDDEN] } : term;
    }),
  };
}
