/** A `#` or `--` without a blank behind it is code: a private field, a decrement. */
const COMMENT = /^\s*(?:\/\*|\*|\/\/).*|(?:^|\s)(?:\/\/|--|#) .*$|\/\*.*?\*\//g;
/** A text with a blank in it is a sentence, and not a name. */
const SENTENCE = /(['"`])(?:(?!\1)[^\\]|\\.)* (?:(?!\1)[^\\]|\\.)*\1/g;

/** What a line has beside prose: nothing of a page, and of code no comment and no sentence. */
export function namesIn(path: string, line: string): string {
  if (path.endsWith('.md')) return '';
  return line.replace(COMMENT, '').replace(SENTENCE, '');
}
