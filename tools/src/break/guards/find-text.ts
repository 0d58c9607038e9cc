/**
 * Finds the text that a guard is, from outside: the files of the product bear no marks of this tool. Blanks, line breaks,
 * comments and the comma behind the last of a list do not count, so that a formatter may break the lines anew. Any other
 * change loses the place, and says so.
 *
 * Where a text stands in its file more than once, some of what is around it comes along, and it stands in ⟦ ⟧:
 *
 *     DELETE FROM duework.job_runs AS j ⟦WHERE j.fence = ${fence}⟧
 *
 * ⋯ is anything up to what follows it, within the same paragraph: a long statement is told by its beginning and its end.
 *
 * @returns where it is; or what is wrong, for a message
 */
export function findText(source: string, text: string): Place | string {
  const found = [...source.matchAll(new RegExp(patternOf(text), 'dg'))];
  const place = found[0]?.indices?.[1];
  if (found.length !== 1 || place === undefined) return `has ${found.length} times\n  ${text}`;
  return { start: place[0], end: place[1] };
}

/** From its first character to the one behind its last. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** Words and signs; what is between them means nothing, or next to nothing. */
const PARTS = /[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu;
const COMMENT = String.raw`\/\/[^\n]*\n|--[^\n]*\n|\/\*[^]*?\*\/`;
const MAYBE_BLANK = String.raw`(?:\s|${COMMENT})*`;
const BLANK = String.raw`(?:\s|${COMMENT})+`;
const OPENING = '⟦';
const CLOSING = '⟧';
const ANYTHING = '⋯';
const PARAGRAPH = String.raw`(?:(?!\n\s*\n)[^])*?`;

function patternOf(text: string): string {
  const marked = text.includes(OPENING) ? text : `${OPENING}${text}${CLOSING}`;
  let pattern = '';
  let before: string | null = null;
  let opening = '';
  for (const [part] of marked.matchAll(PARTS)) {
    if (part === OPENING) opening = '(';
    else if (part === CLOSING) pattern += ')';
    else if (part === ANYTHING) [pattern, before] = [pattern + PARAGRAPH, null];
    else {
      pattern += (before === null ? '' : between(before, part)) + opening + escape(part);
      before = part;
      opening = '';
    }
  }
  return pattern;
}

function between(before: string, part: string): string {
  if (isWord(before) && isWord(part)) return BLANK;
  return before !== ',' && [')', ']', '}'].includes(part) ? `${MAYBE_BLANK},?${MAYBE_BLANK}` : MAYBE_BLANK;
}

const isWord = (part: string): boolean => /^[\p{L}\p{N}_$]/u.test(part);
const escape = (part: string): string => part.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
