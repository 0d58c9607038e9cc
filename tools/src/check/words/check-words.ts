import { allowed } from './allowed.js';
import type { UnusedWord } from './read-glossary.js';

/** A `#` or `--` without a blank behind it is code: a private field, a decrement. */
const COMMENT = /^\s*(?:\/\*|\*|\/\/).*|(?:^|\s)(?:\/\/|--|#) .*$|\/\*.*?\*\//g;
/** A text with a blank in it is a sentence, and not a name. */
const SENTENCE = /(['"`])(?:(?!\1)[^\\]|\\.)* (?:(?!\1)[^\\]|\\.)*\1/g;

/** What a line has beside prose: nothing of a page, and of code no comment and no sentence. */
function namesIn(path: string, line: string): string {
  if (path.endsWith('.md')) return '';
  return line.replace(COMMENT, '').replace(SENTENCE, '');
}

interface FoundWord extends UnusedWord {
  readonly path: string;
  /** From 1; 0 where the path itself has it. */
  readonly line: number;
  /** The line as it is, or the path. */
  readonly text: string;
}

/**
 * Parts words from each other: `lostSweepMs`, `lost_sweep`, `lost-sweep` and `LOST_SWEEP` are "lost sweep" and more. The
 * rest stays, so that a phrase is found where it is one, and `stop(signal)` is none.
 */
function spell(text: string): string {
  return text
    .replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .replace(/[_-]+/g, ' ')
    .toLowerCase();
}

/** The word and its plural, as a whole word or a part of an identifier; a phrase, too. */
const patternOf = (word: string): RegExp => new RegExp(`(?<![a-z])${word.replaceAll(' ', ' +')}s?(?![a-z])`);

/**
 * Finds words that are not used for things here: in the names of files and in code. Prose may use any word.
 *
 * @param path from the root, with forward slashes; it is looked at like a line
 * @param words as docs/internals/words.md has them, in small letters
 */
export function checkWords(path: string, source: string, words: readonly UnusedWord[]): FoundWord[] {
  const patterns = words.map((unused) => ({ unused, pattern: patternOf(unused.word) }));
  return [path, ...source.split('\n')].flatMap((text, line) => {
    const names = line === 0 ? text : namesIn(path, text);
    const spelled = spell(allowed.reduce((rest, pattern) => rest.replace(pattern, ''), names));
    return patterns
      .filter(({ pattern }) => pattern.test(spelled))
      .map(({ unused }) => ({ ...unused, path, line, text: text.trim() }));
  });
}
