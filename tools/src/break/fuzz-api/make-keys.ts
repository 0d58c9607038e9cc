import { createKey, revokeKey, SCOPES, type Scope } from '@duework/operate';
import type pg from 'pg';
import type { DescribedRequest } from './described-request.js';

/** Finds the key that a request comes with; null: it comes without. */
export type FindKey = (request: DescribedRequest) => string | null;

export interface FuzzKeys {
  readonly findKey: FindKey;
  /** When the key of `expiring` callers ends, in milliseconds since 1970. */
  readonly endMs: number;
}

/** The types that `limited` callers may see and enqueue. */
export const LIMITED_TYPES = ['cleanup_nightly', 'deliver_webhook'];
/** How long the key of `expiring` callers is good. */
const EXPIRING_MS = 6_000;

/** Makes API keys: one for each scope alone, one for all of them, a limited one, and some that are not good or not for long. */
export async function makeKeys(db: pg.Pool): Promise<FuzzKeys> {
  const make = async (name: string, scopes: readonly string[], types?: readonly string[]): Promise<string> =>
    (await createKey(db, { name, scopes, expiresIn: '1d', ...(types === undefined ? {} : { types }) })).text;
  const limited = await make('limited', SCOPES, LIMITED_TYPES);
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
  const expiring = await make('expiring', SCOPES);
  const {
    rows: [row],
  } = await db.query<{ end_ms: number }>(
    `UPDATE duework.api_keys SET expires_at = now() + $1 * interval '1 millisecond' WHERE name = 'expiring'
     RETURNING date_part('epoch', expires_at) * 1000 AS end_ms`,
    [EXPIRING_MS],
  );
  const findKey: FindKey = ({ caller, operation, other }) => {
    const others = SCOPES.filter((scope) => scope !== operation.scope);
    const otherScope: Scope = others[other % others.length]!;
    switch (caller) {
      case 'all':
        return all;
      case 'limited':
        return limited;
      case 'expiring':
        return expiring;
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
  return { findKey, endMs: row!.end_ms };
}
