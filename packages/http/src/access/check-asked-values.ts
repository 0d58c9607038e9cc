import type { JobFilter } from '@duework/filter';
import { readSensitivePaths } from '@duework/queue-core';
import type { ApiParts } from '../api.js';
import { checkFilter } from './check-filter.js';
import type { Principal } from './principal.js';

/**
 * `checkFilter`, also by what workers have told of contracts which this server does not have: their jobs are found by its filters,
 * too. Throws `missing_scope`.
 */
export async function checkAskedValues(
  { db, catalog }: Pick<ApiParts, 'db' | 'catalog'>,
  principal: Principal,
  filter: JobFilter,
): Promise<void> {
  checkFilter(catalog, principal, filter);
  if (principal.scopes.includes('sensitive') || filter.terms.every(({ field }) => field !== 'payload')) return;
  checkFilter([...(await readSensitivePaths(db)).values()], principal, filter);
}
