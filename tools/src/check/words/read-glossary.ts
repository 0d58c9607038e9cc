import { PlainError } from '../../../bootstrap/plain-error.mjs';

/** A word that is not used here, and what is said instead. */
export interface UnusedWord {
  readonly word: string;
  readonly instead: string;
}

const HEADING = '## Not used';
const ROW = /^\|(?<word>[^|]+)\|(?<instead>[^|]+)\|\s*$/;
/** The line under the head of a table. */
const RULE = /^[\s|:-]+$/;

/**
 * Reads the table `| not used | said instead |` of docs/internals/words.md.
 *
 * @throws PlainError when there is none: a check that knows no word would be green
 */
export function readGlossary(glossary: string): UnusedWord[] {
  const at = glossary.indexOf(`${HEADING}\n`);
  const [, section = ''] = at === -1 ? [] : glossary.slice(at).split(/^## /m);
  const [, ...rows] = section.split('\n').filter((line) => ROW.test(line) && !RULE.test(line));
  if (rows.length === 0) throw new PlainError(`docs/internals/words.md has no table under "${HEADING}".`);
  return rows.map((row) => {
    const { word = '', instead = '' } = ROW.exec(row)?.groups ?? {};
    return { word: word.trim(), instead: instead.trim() };
  });
}
