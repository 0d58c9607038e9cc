/** Comments that have lines of their own; then those beside code, which a bundler writes there. */
const COMMENTS = [
  /^[ \t]*(?:\/\*(?:(?!\*\/)[\s\S])*\*\/[ \t]*)+\n|^[ \t]*\/\/.*\n/gm,
  /\/\*\*(?:(?!\*\/)[\s\S])*\*\/[ \t]*/g,
];
/** The first line of a declaration, an import or an export. */
const START = /^(?=(?:declare|export|import|interface|type|class|namespace|enum|abstract)\b)/m;

/**
 * A bundled declaration file without comments, its declarations by name and its exports one a line: so that a report
 * changes with the types, and not with the files that hold them.
 */
export function sortDeclarations(bundle: string): string {
  const parts = COMMENTS.reduce((text, comments) => text.replace(comments, ''), bundle)
    .split(START)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.map(onePerLine).toSorted(byKindAndName).join('\n');
}

/** `export { a, b };` with a name on each line. */
function onePerLine(part: string): string {
  const names = /^export \{(.*)\};?$/s.exec(part)?.[1];
  if (names === undefined) return part;
  const sorted = names.split(',').map((name) => `  ${name.trim()},\n`);
  return `export {\n${sorted.toSorted().join('')}};`;
}

const nameOf = (part: string): string =>
  /^(?:declare |abstract )*(?:class|const|function|interface|type|enum|namespace|let) ([\w$]+)/.exec(part)?.[1] ?? part;

/** Imports first, then declarations by name (overloads stay in their order), the exports last. */
function byKindAndName(one: string, other: string): number {
  const order = (part: string): number => (part.startsWith('import ') ? 0 : part.startsWith('export ') ? 2 : 1);
  const [first, second] = [nameOf(one), nameOf(other)];
  return order(one) - order(other) || (first < second ? -1 : first > second ? 1 : 0);
}
