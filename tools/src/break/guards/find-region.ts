/**
 * Where a guard is: between two comments of its name, each alone on its line. A formatter moves such a comment with the
 * statement it stands before, whatever it does to the lines between; a text to look for would be lost with the next line break.
 *
 *     // guard: fence-complete-in
 *     if (!isOurs) throw new LeaseLostError();
 *     // guard end: fence-complete-in
 *
 * In SQL they begin with `--`. They are never sent to the server: the text of a statement is sent without such comments.
 */
const COMMENT = String.raw`^[ \t]*(?:\/\/|--)[ \t]*`;
const NAME = String.raw`[a-z0-9]+(?:-[a-z0-9]+)*`;

export interface Region {
  /** From the first character after the line of the opening marker … */
  readonly start: number;
  /** … to the first of the line of the closing one. */
  readonly end: number;
}

/** The names of all markers of a source, in their order; one that is opened twice comes twice. */
export function listRegions(source: string): string[] {
  const marker = new RegExp(`${COMMENT}guard:[ \\t]*(${NAME})[ \\t]*\\r?$`, 'gm');
  return [...source.matchAll(marker)].map(([, name = '']) => name);
}

const findMarkers = (source: string, kind: 'guard' | 'guard end', name: string): RegExpExecArray[] => [
  ...source.matchAll(new RegExp(`${COMMENT}${kind}:[ \\t]*${name}[ \\t]*\\r?$`, 'gm')),
];

/**
 * Finds a region by its name.
 *
 * @returns where it is; or what is wrong with its markers, for a message
 */
export function findRegion(source: string, name: string): Region | string {
  const opened = findMarkers(source, 'guard', name);
  const closed = findMarkers(source, 'guard end', name);
  const [first] = opened;
  const [last] = closed;
  if (opened.length !== 1 || first === undefined) return `has "guard: ${name}" ${opened.length} times`;
  if (closed.length !== 1 || last === undefined) return `has "guard end: ${name}" ${closed.length} times`;
  const start = first.index + first[0].length + 1;
  if (last.index < start) return `closes "guard: ${name}" before it opens it`;
  if (source.slice(start, last.index).trim() === '') return `has nothing between the markers of "${name}"`;
  return { start, end: last.index };
}
