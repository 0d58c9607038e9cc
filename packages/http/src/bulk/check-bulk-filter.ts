import { asksForPayloads } from '@duework/operate';
import { DueworkError } from '@duework/queue-core';
import type { ApiContext } from '../api.js';

/**
 * Refuses a filter that asks for values of payloads, or for keys, which are made of them, from who may not read payloads.
 * Throws `bulk_action_refused`, `invalid_filter`.
 */
export function checkBulkFilter(c: ApiContext, filter: string): void {
  if (asksForPayloads(filter) && !c.get('principal').scopes.includes('payloads'))
    throw new DueworkError('bulk_action_refused', { reason: 'a filter by payload or key needs the scope payloads' });
}
