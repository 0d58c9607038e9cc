import { timingSafeEqual } from 'node:crypto';
import type { Queryable } from '@duework/queue-core';
import { CallGroup } from '@duework/queue-core/internals';
import type { ApiKey } from './api-key.js';
import { hashSecret, parseKeyText } from './key-text.js';
import { findKeys, type FoundKey } from './sql/find-keys.js';
import { markKeysUsed } from './sql/mark-keys-used.js';

/** What became of a key that somebody showed. Only a caller with the whole secret gets the reason. */
export type KeyCheck =
  | { readonly isGood: true; readonly key: Pick<ApiKey, 'id' | 'name' | 'scopes'> }
  | { readonly isGood: false; readonly reason: 'mistyped' | 'unknown' | 'expired' | 'revoked' };

/** The most keys of a look-up; more than a pool of requests ever shows at once. */
const MAX_KEYS = 1_000;
/** What an unknown id is compared with, so that it takes as long as a known one. */
const NOBODY = Buffer.alloc(32);

/**
 * Returns the check of a key's text. Nothing is remembered between requests: requests that arrive together share one
 * look-up, and none is answered from one that began before it. So a revoked key is refused from the moment on at which
 * its revocation has committed.
 */
export function checkKeys(db: Queryable): (text: string) => Promise<KeyCheck> {
  const lookups = new CallGroup<string, FoundKey | undefined>({
    max: MAX_KEYS,
    async send(ids) {
      const found = new Map((await findKeys(db, [...new Set(ids)])).map((row) => [row.id, row]));
      return ids.map((id) => found.get(id));
    },
  });
  const uses = new CallGroup<string, void>({
    max: MAX_KEYS,
    send: async (ids) => (await markKeysUsed(db, [...new Set(ids)]), ids.map(() => undefined)),
  });
  return async (text) => {
    const parts = parseKeyText(text);
    if (parts === null) return { isGood: false, reason: 'mistyped' };
    const row = await lookups.call(parts.id);
    const given = Buffer.from(hashSecret(parts.secret), 'hex');
    const isSecret = timingSafeEqual(given, row === undefined ? NOBODY : Buffer.from(row.hash, 'hex'));
    if (row === undefined || !isSecret) return { isGood: false, reason: 'unknown' };
    if (row.status !== 'active') return { isGood: false, reason: row.status };
    // after the comparison: the id alone, which is public, must not make a key look used
    if (row.isStale) await uses.call(row.id);
    return { isGood: true, key: { id: row.id, name: row.name, scopes: row.scopes } };
  };
}
