import type { Queryable } from '@duework/queue-core';
import { checkKeys, splitScopes } from '@duework/operate';
import type { AccessRefusal, Authorize } from './authorize.js';
import { readBearer } from './read-bearer.js';

const REFUSALS = {
  mistyped: { code: 'invalid_credentials', detail: 'This is no API key: it was cut or mistyped. Copy it whole.' },
  unknown: { code: 'invalid_credentials', detail: 'There is no such API key.' },
  expired: { code: 'expired_credentials', detail: 'This API key has expired. Make a new one: npx duework keys create' },
  revoked: { code: 'revoked_credentials', detail: 'This API key was revoked. Make a new one: npx duework keys create' },
} as const satisfies Record<string, AccessRefusal>;

/** The refusal of what can be no key, in whichever database. */
export const MISTYPED: AccessRefusal = REFUSALS.mistyped;

/** Knows `Authorization: Bearer dwk_…`. A revoked key is refused from the commit of its revocation on. */
export function authorizeByKey(db: Queryable): Authorize {
  const check = checkKeys(db);
  return async (request, { address }) => {
    const token = readBearer(request);
    if (token === null || !token.startsWith('dwk_')) return null;
    const checked = await check(token);
    if (!checked.isGood) return REFUSALS[checked.reason];
    const { id, name, scopes } = checked.key;
    return { id: `key:${id}`, name: `key:${name}`, kind: 'key', ...splitScopes(scopes), from: address };
  };
}
