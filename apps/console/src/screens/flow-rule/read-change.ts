import type { FlowChange, FlowRule, FlowTerms } from '../../api/flow-queries.js';
import { printDuration } from '../schedule/read-draft.js';

/** What somebody writes into the fields of a rule, by their names. */
export type Draft = Readonly<Record<string, string>>;

type Field = keyof FlowChange;
/** The term that a field is about; those that are durations have another name as a number. */
const TERMS: Readonly<Record<Field, keyof FlowTerms>> = {
  max: 'max',
  per: 'perMs',
  burst: 'burst',
  share: 'share',
  of: 'of',
  pause: 'pauseMs',
};
export const isDuration = (field: string): boolean => field === 'per' || field === 'pause';

/** What holds of a rule, as its fields show it. */
export const toDraft = (fields: readonly string[], terms: FlowTerms): Draft =>
  Object.fromEntries(fields.map((field) => [field, print(field, terms)]));

function print(field: string, terms: FlowTerms): string {
  const value = terms[TERMS[field as Field]];
  if (value === undefined) return '';
  return isDuration(field) ? printDuration(Number(value)) : String(value);
}

/** The change that a draft is; `wrong`: the field that is no number; null: it changes nothing. */
export function readChange(
  draft: Draft,
  { terms, declared, changed }: Pick<FlowRule, 'terms' | 'declared' | 'changed'>,
): { readonly change: FlowChange } | { readonly wrong: string } | null {
  const change: Record<string, number | string | null> = {};
  for (const [field, written] of Object.entries(draft)) {
    const text = written.trim();
    if (text === print(field, terms)) continue;
    if (!isDuration(field) && (text === '' || !Number.isFinite(Number(text)))) return { wrong: field };
    // what is declared is not kept as a change of somebody's
    const isBack = changed?.[TERMS[field as Field]] !== undefined && text === print(field, declared);
    change[field] = isBack ? null : isDuration(field) ? text : Number(text);
  }
  return Object.keys(change).length === 0 ? null : { change };
}
