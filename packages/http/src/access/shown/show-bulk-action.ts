import { formatFilter } from '@duework/filter';
import { type BulkAction, hideValues, readFilter } from '@duework/operate';
import type { Principal } from '../principal.js';

/**
 * A bulk action as its caller may see it: without `payloads` or `sensitive` neither the values that its filter asks payloads,
 * errors, or keys made of payloads for, nor the value of an edit. One that is sensitive is shown to nobody, here or anywhere.
 */
export function showBulkAction({ scopes }: Principal, action: BulkAction): BulkAction {
  if (scopes.includes('payloads') || scopes.includes('sensitive')) return action;
  const { value: _, ...options } = action.options;
  return {
    ...action,
    filter: formatFilter(hideValues(readFilter(action.filter), ['payload', 'error', 'gate', 'tenant'])),
    options,
  };
}
