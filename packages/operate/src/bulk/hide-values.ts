import type { JobFilter, JobFilterTerm } from '@duework/filter';
import { ruleOfKey } from '../flow/rule-of-key.js';

const HIDDEN = '…';

type HidingField = Extract<JobFilterTerm['field'], 'payload' | 'key' | 'error' | 'gate' | 'tenant'>;

/** A filter without the values that it asks for in these fields, for whoever may not know them. */
export function hideValues({ terms }: JobFilter, fields: readonly HidingField[]): JobFilter {
  return {
    terms: terms.map((term) => {
      if (!fields.includes(term.field as never)) return term;
      if (term.field === 'payload') return { ...term, values: [{ text: HIDDEN, isQuoted: false }] };
      if (term.field === 'gate') return { ...term, values: term.values.map(hideValue) };
      return term.field === 'key' || term.field === 'error' || term.field === 'tenant'
        ? { ...term, values: [HIDDEN] }
        : term;
    }),
  };
}

/** The key of a gate, of which the rule may be known. */
const hideValue = (key: string): string => (ruleOfKey(key) === key ? key : `${ruleOfKey(key)}/${HIDDEN}`);
