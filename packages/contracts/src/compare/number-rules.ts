import { type Containment, no, YES } from './containment.js';
import { keywordsOf, numbersOf, type Rule } from './rule.js';
import type { Branch } from './split-schema.js';

/** A limit; `isOpen`: it is not a value itself. */
interface Limit {
  readonly at: number;
  readonly isOpen: boolean;
}

export function isWhole(branch: Branch): boolean {
  if (branch.hasValue) return Number.isInteger(branch.value);
  const isInteger = (type: unknown): boolean =>
    type === 'integer' || (Array.isArray(type) && type.includes('integer') && !type.includes('number'));
  return keywordsOf(branch, 'type').some(isInteger) || numbersOf(branch, 'multipleOf').some(Number.isInteger);
}

/** The lowest value; with `sign` -1 the highest one, negated. */
function lowest(branch: Branch, sign: 1 | -1): Limit {
  if (branch.hasValue) return { at: sign * (branch.value as number), isOpen: false };
  const [closed, open] = sign === 1 ? ['minimum', 'exclusiveMinimum'] : ['maximum', 'exclusiveMaximum'];
  const limits: Limit[] = [
    ...numbersOf(branch, closed!).map((at) => ({ at: at * sign, isOpen: false })),
    ...numbersOf(branch, open!).map((at) => ({ at: at * sign, isOpen: true })),
  ];
  return limits
    .map((limit) => (isWhole(branch) ? toWhole(limit) : limit))
    .reduce((a, b) => (b.at > a.at || (b.at === a.at && b.isOpen) ? b : a), { at: -Infinity, isOpen: false });
}

function toWhole({ at, isOpen }: Limit): Limit {
  return { at: isOpen ? Math.floor(at) + 1 : Math.ceil(at), isOpen: false };
}

const limit =
  (keyword: string, sign: 1 | -1, isOpen: boolean): Rule =>
  (branch, given, _node, { pointer }) => {
    if (branch.type !== 'number') return YES;
    const own = lowest(branch, sign);
    const asked = sign * Number(given);
    return own.at > asked || (own.at === asked && (own.isOpen || !isOpen)) ? YES : no(pointer, `${keyword} is tighter`);
  };

function checkMultiple(branch: Branch, given: unknown, pointer: string): Containment {
  if (branch.type !== 'number') return YES;
  const isMultiple = (value: unknown): boolean =>
    value === given ||
    (Number.isSafeInteger(value) && Number.isSafeInteger(given) && (value as number) % (given as number) === 0);
  const fits = branch.hasValue
    ? isMultiple(branch.value)
    : (given === 1 && isWhole(branch)) || numbersOf(branch, 'multipleOf').some(isMultiple);
  return fits ? YES : no(pointer, 'multipleOf is tighter');
}

export const numberRules: Readonly<Record<string, Rule>> = {
  minimum: limit('minimum', 1, false),
  exclusiveMinimum: limit('exclusiveMinimum', 1, true),
  maximum: limit('maximum', -1, false),
  exclusiveMaximum: limit('exclusiveMaximum', -1, true),
  multipleOf: (branch, given, _node, { pointer }) => checkMultiple(branch, given, pointer),
};
