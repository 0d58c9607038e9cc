import { type Act, DueworkError, type Queryable } from '@duework/queue-core';
import { checkAct } from '@duework/queue-core/internals';
import type { ApiKey } from './api-key.js';
import { hashSecret, makeKeyText } from './key-text.js';
import { readExpiry, type KeyLifetime } from './read-expiry.js';
import { readScopes } from './read-scopes.js';
import { insertKey } from './sql/insert-key.js';

export interface NewKey {
  /** Names the key in the audit (`key:<name>`): letters, digits, `.`, `_`, `-`. One working key has it at a time. */
  readonly name: string;
  /** Some of `SCOPES`, or `enqueue:<job type>`. */
  readonly scopes: readonly string[];
  /** The types that it is limited to; not given: to none. */
  readonly types?: readonly string[];
  /** Unless it is given, the key works until it is revoked, or as long as the one that makes it. */
  readonly expiresIn?: KeyLifetime;
  /** The id of the key that makes it: the new one ends no later. */
  readonly madeWith?: string;
  /** Who makes it, for the audit. */
  readonly act?: Act;
}

/** A new key with its text, which is shown this once: only its hash is kept. */
export interface CreatedKey {
  readonly text: string;
  readonly key: ApiKey;
}

/** Makes an API key. Throws `invalid_option`, and `api_key_name_taken` while another key of that name is not revoked. */
export async function createKey(
  db: Queryable,
  { name, scopes, types, expiresIn, madeWith, act = {} }: NewKey,
): Promise<CreatedKey> {
  if (typeof name !== 'string' || !/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(name))
    throw new DueworkError('invalid_option', {
      option: 'name',
      expected: '1 to 63 letters, digits and ".", "_", "-", of which the first is a letter or a digit',
      value: name,
    });
  checkAct(act);
  const granted = readScopes(scopes, types);
  const lifetimeMs = readExpiry(expiresIn);
  const { id, secret, text } = makeKeyText();
  const key = await insertKey(db, {
    id,
    name,
    hash: hashSecret(secret),
    scopes: granted,
    lifetimeMs,
    madeWith: madeWith ?? null,
    act,
  });
  if (key === null) throw new DueworkError('api_key_name_taken', { name });
  return { text, key };
}
