/** Where a word of the list is not ours: each is left out of a line before it is read. */
export const allowed: readonly RegExp[] = [
  // the message of a server that does not answer, as tests ask for it
  /cannot reach/gi,
  // what a client of pg calls what the server tells by itself
  /\bon\('notice'/g,
];

/** Files that quote the words: the list itself, and this check with its tests. */
export const QUOTING: readonly string[] = ['docs/internals/words.md', 'tools/src/check/words/'];
