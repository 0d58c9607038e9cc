import { DueworkError } from '@duework/sql/errors';
import { createKeyRing, type KeyRing } from './key-ring.js';

/**
 * The key ring that a variable such as `DUEWORK_KEYS` holds: `k2:<base64>,k1:<base64>`. The first key is the current one,
 * the others only decrypt. null: the variable is not set. Throws `DueworkError` (`invalid_key_ring`).
 */
export function parseKeyRing(text: string | undefined): KeyRing | null {
  if (text === undefined || text.trim() === '') return null;
  const entries = text.split(',').map((entry) => entry.trim().split(':', 2) as [string, string?]);
  // not shown: it may be a key
  if (entries.some(([, key]) => key === undefined))
    throw new DueworkError('invalid_key_ring', { reason: 'each of its entries is an id, a colon and a key in base64' });
  const ids = entries.map(([id]) => id);
  if (new Set(ids).size < ids.length)
    throw new DueworkError('invalid_key_ring', { reason: 'it has the same key id twice' });
  return createKeyRing({
    current: ids[0]!,
    keys: Object.fromEntries(entries.map(([id, key]) => [id, key ?? ''])),
  });
}
