import type { Place } from './place.js';
import { refuse } from './refuse.js';

/** One value of a term: without its quotes, if it had any. */
export interface ValueToken extends Place {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** One term as it is written: `-field.path:value,value`. A text in quotes by itself has no field. */
export interface TermToken extends Place {
  readonly isNot: boolean;
  readonly field: ValueToken | null;
  readonly path: readonly ValueToken[];
  /** Empty: there is no colon. */
  readonly values: readonly ValueToken[];
}

const BLANK = /\s/;
/** What PostgreSQL cannot store: nobody looks for it, and it came from a slip. */
const UNSTORABLE = /[^\P{Cc}\s]|\p{Cs}/u;

/** Splits a text into terms. Throws a `Refusal` where quotes do not fit, or a value is missing. */
export function readTokens(text: string): TermToken[] {
  const unstorable = UNSTORABLE.exec(text);
  if (unstorable !== null)
    refuse(
      'invalid_character',
      { from: unstorable.index, to: unstorable.index + 1 },
      'This character cannot be in a job.',
    );
  const terms: TermToken[] = [];
  let at = 0;
  const isEnd = (): boolean => at >= text.length || BLANK.test(text[at]!);

  function readQuoted(): ValueToken {
    const from = at++;
    let value = '';
    while (text[at] !== '"') {
      if (text[at] === '\\' && (text[at + 1] === '"' || text[at + 1] === '\\')) at++;
      if (at >= text.length)
        refuse('unclosed_quote', { from, to: text.length }, 'This quote has no end.', `${text.slice(from)}"`);
      value += text[at++];
    }
    at++;
    return { text: value, isQuoted: true, from, to: at };
  }

  function readPlain(stop: string): ValueToken {
    const from = at;
    while (!isEnd() && text[at] !== '"' && !stop.includes(text[at]!)) at++;
    return { text: text.slice(from, at), isQuoted: false, from, to: at };
  }

  /** A word, or a text in quotes, up to one of `stop` or the end of the term. */
  function readPart(stop: string): ValueToken {
    const part = text[at] === '"' ? readQuoted() : readPlain(stop);
    if (!isEnd() && !stop.includes(text[at]!)) {
      const from = part.from;
      while (!isEnd()) at++;
      refuse(
        'misplaced_quote',
        { from, to: at },
        'Quotes stand around a whole value.',
        'A quote inside is written \\".',
      );
    }
    return part;
  }

  function readValues(colonAt: number): ValueToken[] {
    const values: ValueToken[] = [];
    do {
      const value = readPart(',');
      if (value.text === '' && !value.isQuoted)
        refuse('missing_value', { from: colonAt, to: at }, 'A value is missing here.', 'An empty text is written "".');
      values.push(value);
    } while (text[at] === ',' && ++at > 0);
    return values;
  }

  function readTerm(): TermToken {
    const from = at;
    const isNot = text[at] === '-';
    if (isNot) at++;
    if (text[at] === '"') {
      const words = readPart('');
      return { isNot, field: null, path: [], values: [words], from, to: at };
    }
    const field = readPart(':.');
    const path: ValueToken[] = [];
    while (text[at] === '.') {
      at++;
      path.push(readPart(':.'));
    }
    const colonAt = at;
    const values = text[at] === ':' && ++at > 0 ? readValues(colonAt) : [];
    return { isNot, field, path, values, from, to: at };
  }

  while (at < text.length) {
    if (BLANK.test(text[at]!)) at++;
    else terms.push(readTerm());
  }
  return terms;
}
