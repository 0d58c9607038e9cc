import type { Catalog } from '@duework/contracts';
import { currentKeyRing } from '@duework/queue-core/internals';
import type { Principal } from '../principal.js';
import { maySeePayloads } from './withhold.js';

/**
 * Whether a principal may be told that a stored payload differs from its own: where it may read payloads. Without a key ring
 * sensitive values are stored as they are, and decide as others do, so that it has to be allowed to see those as well; values
 * that are encrypted are never compared.
 */
export function mayCompare(catalog: Catalog, principal: Principal, type: string): boolean {
  if (!maySeePayloads(principal)) return false;
  const hasSensitive = catalog.some((one) => one.type === type && one.sensitiveEver.length > 0);
  return !hasSensitive || currentKeyRing() !== null || principal.scopes.includes('sensitive');
}
