import type { JobFilter } from '@duework/filter';
import { findJobTypes } from '@duework/operate';
import { readSensitivePaths } from '@duework/queue-core';
import { ApiError } from '../api-error.js';
import type { ApiParts } from '../api.js';
import { checkFilter } from './check-filter.js';
import type { Principal } from './principal.js';

/**
 * Throws `limited_to_types` where a principal that is for some types asks for the children of a job of another type, or of none: what it
 * finds would tell which of its jobs are. And as `checkFilter`, also by what workers have told of contracts which this server does not have: their jobs are found by its filters,
 * too: `missing_scope`.
 */
export async function checkAskedValues(
  { db, catalog }: Pick<ApiParts, 'db' | 'catalog'>,
  principal: Principal,
  filter: JobFilter,
): Promise<void> {
  await checkParents(db, principal, filter);
  checkFilter(catalog, principal, filter);
  if (principal.scopes.includes('sensitive') || filter.terms.every(({ field }) => field !== 'payload')) return;
  checkFilter([...(await readSensitivePaths(db)).values()], principal, filter);
}

async function checkParents(db: ApiParts['db'], { name, types }: Principal, { terms }: JobFilter): Promise<void> {
  if (types === null) return;
  const asked = terms.flatMap((term) => (term.field === 'parent' ? term.values : []));
  const typeOf = await findJobTypes(db, asked);
  const other = asked.find((id) => !types.includes(typeOf.get(id) ?? ''));
  if (other !== undefined)
    throw new ApiError('limited_to_types', `${name} sees no job ${other} whose children it could ask for.`, {
      errors: [{ parameter: 'filter', message: 'It asks for the children of a job that is not shown' }],
    });
}
