const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `[` and `{` differ in one bit, and so do `]` and `}`. */
const CASE = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/**
 * Whether JSON text, in UTF-8, opens more than `levels` brackets within each other. Checked before it is parsed:
 * millions of levels take a parser many seconds, during which no other client is answered.
 */
export function isNestedOver(levels: number, bytes: Uint8Array): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) at = findEndOfText(bytes, at);
    else if ((byte | CASE) === OPENING && ++depth > levels) return true;
    else if ((byte | CASE) === CLOSING) depth--;
  }
  return false;
}

function findEndOfText(bytes: Uint8Array, startAt: number): number {
  for (let at = bytes.indexOf(QUOTE, startAt + 1); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let backslashes = 0;
    while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return bytes.length;
}
