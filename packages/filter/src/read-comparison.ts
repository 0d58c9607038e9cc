import type { Comparison } from './filter.js';
import type { ValueToken } from './read-tokens.js';
import { refuse } from './refuse.js';

const COMPARISON = /^(<=|>=|<|>|=)?(\d{1,9})$/;

/** Reads `3`, `<3`, `<=3`, `>3` or `>=3`. Throws a `Refusal`. */
export function readComparison(field: string, value: ValueToken): Comparison {
  const [, operator = '=', number] = COMPARISON.exec(value.isQuoted ? '' : value.text) ?? [];
  if (number === undefined)
    return refuse(
      'invalid_number',
      value,
      `${field} is a whole number, not ${JSON.stringify(value.text)}.`,
      `${field}:3, ${field}:<3 or ${field}:>=3`,
    );
  return { operator: operator as Comparison['operator'], value: Number(number) };
}
