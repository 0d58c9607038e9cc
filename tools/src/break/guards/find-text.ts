import type { Region } from './find-region.js';

/**
 * Finds the text that a guard is, from outside: the files of the product bear no marks of this tool. Blanks, line breaks and the
 * comma behind the last of a list do not count, so that a formatter may break the lines anew. Any other change loses the place, and
 * the list says so.
 *
 * @returns where it is; or what is wrong, for a message
 */
export function findText(source: string, text: string): Region | string {
  const found = [...source.matchAll(new RegExp(patternOf(text), 'g'))];
  const [first] = found;
  if (found.length !== 1 || first === undefined) return `has ${found.length} times\n  ${text}`;
  return { start: first.index, end: first.index + first[0].length };
}

/** Words and signs; a text of a program is these, and what is between them means nothing, or next to nothing. */
const PARTS = /[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu;
const isWord = (part: string): boolean => /^[\p{L}\p{N}_$]/u.test(part);
const closes = (part: string): boolean => [')', ']', '}'].includes(part);
const escape = (part: string): string => part.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

function patternOf(text: string): string {
  const parts = text.match(PARTS) ?? [];
  return parts
    .map((part, index) => {
      const before = parts[index - 1];
      if (before === undefined) return escape(part);
      if (closes(part) && before !== ',') return String.raw`\s*,?\s*${escape(part)}`;
      if (before === ',' && closes(part)) return String.raw`\s*${escape(part)}`;
      return (isWord(before) && isWord(part) ? String.raw`\s+` : String.raw`\s*`) + escape(part);
    })
    .join('');
}
