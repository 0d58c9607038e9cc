/** A whole number of so many digits may be more than JavaScript's numbers hold; an id is a text. */
const LONG = /(?:^|[:[,])\s*-?\d{16}/;
/** No number that JavaScript holds has more digits. */
const MOST_DIGITS = 309;
const LOST = '\0lost';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;

/**
 * Where a JSON text has a whole number that `JSON.parse` turns into another one, as the names on the way to it; null: nowhere. What
 * JavaScript itself has written is none, nor is a fraction, of which everybody expects to be rounded.
 */
export function findLostNumber(json: string): readonly string[] | null {
  const marked = LONG.test(json) ? markLostNumbers(json) : null;
  return marked === null ? null : findMark(JSON.parse(marked));
}

/** Reads JSON that somebody else may have written; what would be another number is its digits, as a text. */
export function parseExactly(json: string): unknown {
  return JSON.parse((LONG.test(json) ? markLostNumbers(json, (digits) => digits) : null) ?? json);
}

/** The same JSON with a mark, which `findMark` finds, in the place of each such number; null: it has none. */
export function markLostNumbers(json: string, mark: (digits: string) => string = () => LOST): string | null {
  let marked = '';
  let from = 0;
  // no pattern: on millions of digits, or of characters of a text, it would run out of stack
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfText(json, at);
    else if (code === MINUS || isDigit(code)) {
      const end = endOfDigits(json, at);
      if (!goesOn(json, end) && isLost(json, at, end)) {
        marked += json.slice(from, at) + JSON.stringify(mark(json.slice(at, end)));
        from = end;
      }
      at = endOfNumber(json, end) - 1;
    }
  }
  return from === 0 ? null : marked + json.slice(from);
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
/** A fraction or an exponent. */
const goesOn = (json: string, at: number): boolean => '.eE'.includes(json.charAt(at)) && at < json.length;

function endOfText(json: string, at: number): number {
  for (at++; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at;
  }
  return at;
}

/** Behind a minus, if there is one, and digits. */
function endOfDigits(json: string, at: number): number {
  do at++;
  while (isDigit(json.charCodeAt(at)));
  return at;
}

function endOfNumber(json: string, at: number): number {
  while (isDigit(json.charCodeAt(at)) || '.eE+-'.includes(json.charAt(at) || ' ')) at++;
  return at;
}

function isLost(json: string, from: number, to: number): boolean {
  if (to - from < 16) return false;
  if (to - from > MOST_DIGITS + 1) return true;
  const token = json.slice(from, to);
  const read = Number(token);
  return figures(String(read)) !== figures(token) && (!Number.isFinite(read) || BigInt(read) !== BigInt(token));
}

/** Without what PostgreSQL and JavaScript write in two ways: 1e+23 is a 1 with 23 zeros. */
const figures = (number: string): string => number.replace(/e.*|\./g, '').replace(/0+$/, '');

/** Where the first mark is; null: nowhere. */
export function findMark(value: unknown): readonly string[] | null {
  if (value === LOST) return [];
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, item] of Object.entries(value)) {
    const path = findMark(item);
    if (path !== null) return [name, ...path];
  }
  return null;
}
