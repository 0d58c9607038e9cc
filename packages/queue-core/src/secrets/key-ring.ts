import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { DueworkError } from '@duework/sql/errors';

/**
 * Keys by id, of which the current one encrypts and each decrypts. What is encrypted is bound to a `place`, and can be
 * decrypted for the same one only. A ring of your own may keep its keys elsewhere, as long as it answers at once.
 */
export interface KeyRing {
  readonly currentKeyId: string;
  readonly has: (keyId: string) => boolean;
  /** The id of the current key, a colon, and nonce, tag and cipher text. */
  readonly seal: (text: string, place: string) => string;
  /** null: it was changed, belongs elsewhere, or its key has other bytes here. The ring has its key. */
  readonly open: (sealed: string, place: string) => string | null;
}

export interface KeyRingOptions {
  /** The id of the key that encrypts from now on. */
  readonly current: string;
  /** 32 bytes each, in base64, by id: `openssl rand -base64 32`. */
  readonly keys: Readonly<Record<string, string>>;
}

const KEY_BYTES = 32;
/** A random nonce of 96 bits is safe for some 4 billion values of one key (NIST SP 800-38D, 8.3). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A key ring of AES-256-GCM. Throws `DueworkError` (`invalid_key_ring`); no message has a key in it. */
export function createKeyRing({ current, keys }: KeyRingOptions): KeyRing {
  const keyOf = new Map(Object.entries(keys).map(([id, text]) => [id, readKey(id, text)]));
  const currentKey = keyOf.get(current);
  if (currentKey === undefined) throw refuse(`its current key ${JSON.stringify(current)} is not among its keys`);
  // closures, so that nothing that prints or copies the ring finds a key
  return Object.freeze({
    currentKeyId: current,
    has: (keyId: string) => keyOf.has(keyId),
    seal: (text: string, place: string) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', currentKey, nonce).setAAD(Buffer.from(place));
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${current}:${Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64url')}`;
    },
    open: (sealed: string, place: string) => {
      const [keyId = '', body = ''] = sealed.split(':', 2);
      const key = keyOf.get(keyId);
      return key === undefined ? null : decrypt(key, Buffer.from(body, 'base64url'), place);
    },
  });
}

function decrypt(key: KeyObject, bytes: Buffer, place: string): string | null {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)];
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

function readKey(id: string, text: string): KeyObject {
  if (!/^[A-Za-z0-9_.-]{1,32}$/.test(id)) throw refuse('the id of a key has 1 to 32 letters, digits, "_", "-" and "."');
  const bytes = typeof text === 'string' && /^[A-Za-z0-9+/_-]+=*$/.test(text) ? Buffer.from(text, 'base64') : null;
  if (bytes?.length !== KEY_BYTES)
    throw refuse(`key ${JSON.stringify(id)} is not ${KEY_BYTES} bytes in base64 (openssl rand -base64 ${KEY_BYTES})`);
  return createSecretKey(bytes);
}

function refuse(reason: string): DueworkError {
  return new DueworkError('invalid_key_ring', { reason });
}
