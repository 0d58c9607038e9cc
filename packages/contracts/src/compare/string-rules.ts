import { no, unknown, YES } from './containment.js';
import { keywordsOf, matches, numbersOf, type Rule } from './rule.js';

/** Characters as JSON Schema counts them. */
const lengthOf = (text: unknown): number => Array.from(text as string).length;

const minLength: Rule = (branch, given, _node, { pointer }) => {
  if (branch.type !== 'string') return YES;
  const own = branch.hasValue ? lengthOf(branch.value) : Math.max(0, ...numbersOf(branch, 'minLength'));
  return own >= Number(given) ? YES : no(pointer, 'minLength is longer');
};

const maxLength: Rule = (branch, given, _node, { pointer }) => {
  if (branch.type !== 'string') return YES;
  const own = branch.hasValue ? lengthOf(branch.value) : Math.min(Infinity, ...numbersOf(branch, 'maxLength'));
  return own <= Number(given) ? YES : no(pointer, 'maxLength is shorter');
};

const pattern: Rule = (branch, given, _node, { pointer }) => {
  if (branch.type !== 'string' || keywordsOf(branch, 'pattern').includes(given)) return YES;
  if (!branch.hasValue) return no(pointer, 'the pattern is another one');
  const isMatch = matches(String(given), branch.value as string);
  if (isMatch === null) return unknown(pointer, 'the pattern cannot be read');
  return isMatch ? YES : no(pointer, 'a value does not match the pattern');
};

/** What only the validator knows: the same, or nobody can tell. */
const sameAs =
  (keyword: string): Rule =>
  (branch, given, _node, { pointer }) =>
    branch.type !== 'string' || keywordsOf(branch, keyword).includes(given)
      ? YES
      : branch.hasValue
        ? unknown(pointer, `whether a value has the ${keyword} is not known`)
        : no(pointer, `the ${keyword} is another one`);

export const stringRules: Readonly<Record<string, Rule>> = {
  minLength,
  maxLength,
  pattern,
  format: sameAs('format'),
  contentEncoding: sameAs('contentEncoding'),
};
