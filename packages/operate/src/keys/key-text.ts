import { createHash, randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The text of a key: `dwk_<id>_<secret><check>`. The id is public and finds the row, the secret is 256 random bits, and
 * the check is a CRC-32 over all before it: a key that was cut or mistyped is refused without the database, and scanners
 * of repositories know a real one.
 */
const TEXT = /^dwk_([0-9a-z]{12})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ID_LENGTH = 12;
const ID_DIGITS = 36;
const SECRET_BYTES = 32;

export interface KeyParts {
  readonly id: string;
  readonly secret: string;
}

/** A new key: its text, which is shown once, and its parts. */
export function makeKeyText(id = makeId()): KeyParts & { readonly text: string } {
  const secret = toBase62(BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`), 43);
  const body = `dwk_${id}_${secret}`;
  return { id, secret, text: body + checkOf(body) };
}

/** The parts of a key; null: it is none, or was mistyped. */
export function parseKeyText(text: string): KeyParts | null {
  const [, id, secret, check] = TEXT.exec(text) ?? [];
  if (id === undefined || secret === undefined) return null;
  return checkOf(`dwk_${id}_${secret}`) === check ? { id, secret } : null;
}

/** SHA-256, as hex: a random secret of 256 bits needs no slow hash, because nobody can try enough of them. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function makeId(): string {
  return Array.from({ length: ID_LENGTH }, () => DIGITS[randomInt(ID_DIGITS)]).join('');
}

function checkOf(body: string): string {
  return toBase62(BigInt(crc32(body)), 6);
}

function toBase62(number: bigint, length: number): string {
  let text = '';
  for (let rest = number; rest > 0n; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text;
  return text.padStart(length, '0');
}
