import { createKey, revokeKey, SCOPES, type Scope } from '@duework/operate';
import type pg from 'pg';
import type { DescribedRequest } from './described-request.js';

/** Finds the key that a request comes with; null: it comes without. */
export type FindKey = (request: DescribedRequest) => string | null;

/** Makes API keys: one for each scope alone, one for all of them, and some that are not good. */
export async function makeKeys(db: pg.Pool): Promise<FindKey> {
  const make = async (name: string, scopes: readonly string[]): Promise<string> =>
    (await createKey(db, { name, scopes, expiresIn: '1d' })).text;
  const all = await make('all', SCOPES);
  const one = new Map<string, string>();
  for (const scope of SCOPES) one.set(scope, await make(scope, [scope]));
  const expired = await make('expired', SCOPES);
  await db.query(`UPDATE duework.api_keys SET expires_at = now() WHERE name = 'expired'`);
  const revoked = await make('revoked', SCOPES);
  await revokeKey(db, 'revoked');
  // of the right form, and of no database
  const unknown = await make('unknown', SCOPES);
  await db.query(`DELETE FROM duework.api_keys WHERE name = 'unknown'`);
  return ({ caller, operation, other }) => {
    const others = SCOPES.filter((scope) => scope !== operation.scope);
    const otherScope: Scope = others[other % others.length]!;
    switch (caller) {
      case 'all':
        return all;
      case 'right':
        return operation.scope === null ? null : one.get(operation.scope)!;
      case 'other':
        return one.get(otherScope)!;
      case 'none':
        return null;
      case 'unknown':
        return unknown;
      case 'expired':
        return expired;
      case 'revoked':
        return revoked;
    }
  };
}
