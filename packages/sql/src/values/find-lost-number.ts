/** A whole number of so many digits may be more than JavaScript's numbers hold. */
const LONG = /\d{16}/;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const WHOLE = /^-?\d{16,}$/;
/** No number that JavaScript holds has more digits. */
const MOST_DIGITS = 309;
const LOST = '\0lost';

/**
 * Where a JSON text has a whole number that `JSON.parse` turns into another one, as the names on the way to it; null: nowhere. What
 * JavaScript itself has written is none, nor is a fraction, of which everybody expects to be rounded.
 */
export function findLostNumber(json: string): readonly string[] | null {
  const marked = LONG.test(json) ? markLostNumbers(json) : null;
  return marked === null ? null : findMark(JSON.parse(marked));
}

/** The same JSON with a mark, which `findMark` finds, in the place of each such number; null: it has none. */
export function markLostNumbers(json: string): string | null {
  let isAny = false;
  const marked = json.replace(TOKEN, (token) => {
    if (!isLost(token)) return token;
    isAny = true;
    return JSON.stringify(LOST);
  });
  return isAny ? marked : null;
}

function isLost(token: string): boolean {
  if (!WHOLE.test(token)) return false;
  if (token.length > MOST_DIGITS + 1) return true;
  const read = Number(token);
  return String(read) !== token && (!Number.isFinite(read) || BigInt(read) !== BigInt(token));
}

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
