/** What somebody is typing into a filter: from which character to which, and of what. */
export interface Completion {
  readonly from: number;
  readonly to: number;
  /** null: the name of a field is typed. */
  readonly field: string | null;
  readonly typed: string;
}

/** Finds what is typed where the caret is: a field, or one value of a field; null inside of quotes. */
export function findCompletion(text: string, caret: number): Completion | null {
  let isQuoted = false;
  let termFrom = 0;
  for (let at = 0; at < caret; at++) {
    if (text[at] === '"' && text[at - 1] !== '\\') isQuoted = !isQuoted;
    else if (!isQuoted && /\s/.test(text[at]!)) termFrom = at + 1;
  }
  if (isQuoted) return null;
  const to = findEnd(text, caret);
  const term = text.slice(termFrom, caret);
  // a text in quotes is whole
  if (term.endsWith('"')) return null;
  const sign = term.startsWith('-') ? 1 : 0;
  const colon = term.indexOf(':');
  if (colon < 0) return { from: termFrom + sign, to, field: null, typed: term.slice(sign) };
  const valueFrom = termFrom + Math.max(colon, term.lastIndexOf(',')) + 1;
  return { from: valueFrom, to, field: term.slice(sign, colon), typed: text.slice(valueFrom, caret) };
}

function findEnd(text: string, caret: number): number {
  const rest = /^[^\s,:"]*/.exec(text.slice(caret));
  return caret + (rest?.[0].length ?? 0);
}
