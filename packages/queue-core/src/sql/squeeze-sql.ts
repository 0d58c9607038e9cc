const PARTS = /'(?:[^']|'')*'|(?:\s+|--[^\n]*)+/g;

const squeezed = new WeakMap<readonly string[], string[]>();

/**
 * The texts of a template without its comments, and with one blank between words; what is quoted stays as it is. PostgreSQL measures
 * and copies the text of a statement three times whenever it runs it, planned or not: with the comments of a claim that was up to
 * a seventh of one that finds nothing. Each template is squeezed once.
 */
export function squeezeSql(texts: readonly string[]): readonly string[] {
  let known = squeezed.get(texts);
  if (known === undefined) {
    known = texts.map((text) => text.replace(PARTS, (part) => (part.startsWith(`'`) ? part : ' ')));
    squeezed.set(texts, known);
  }
  return known;
}
