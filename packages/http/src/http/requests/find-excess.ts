const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
/** `[` and `{` differ in one bit, and so do `]` and `}`. */
const CASE = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/** What a JSON text may have. */
export interface JsonBounds {
  /** Brackets within each other. */
  readonly levels: number;
  /** Objects, arrays and named fields: each takes a parser up to five microseconds. */
  readonly parts: number;
  /** Commas: what is neither costs a twentieth of that. */
  readonly values: number;
}

/**
 * Which bound a JSON text, in UTF-8, exceeds first, or null. Asked before it is parsed: sixteen megabytes of empty
 * objects, of different names, or of brackets within each other take a parser many seconds, during which no other client
 * is answered, and this some hundredths of one.
 */
export function findExcess(bytes: Uint8Array, bounds: JsonBounds): keyof JsonBounds | null {
  let levels = 0;
  let parts = 0;
  let values = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) {
      if (++values > bounds.values) return 'values';
    } else if (byte === COLON) {
      if (++parts > bounds.parts) return 'parts';
    } else if ((byte | CASE) === OPENING) {
      if (++levels > bounds.levels) return 'levels';
      if (++parts > bounds.parts) return 'parts';
    } else if ((byte | CASE) === CLOSING) levels--;
  }
  return null;
}
