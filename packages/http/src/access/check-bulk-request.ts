import { isSensitivePath } from '@duework/contracts';
import { type BulkRequest, readFilter } from '@duework/operate';
import type { ApiParts } from '../api.js';
import { checkAskedValues } from './check-asked-values.js';
import { lacksScope } from './lacks-scope.js';
import type { Principal } from './principal.js';

/**
 * Throws `missing_scope` for a bulk action that asks for, or writes, what its caller may not see: who may not read payloads edits
 * none, because what is refused tells about the other fields; and what a contract calls sensitive is edited with `sensitive` alone.
 * Throws `invalid_filter`.
 */
export async function checkBulkRequest(
  parts: Pick<ApiParts, 'db' | 'catalog'>,
  principal: Principal,
  request: BulkRequest,
): Promise<void> {
  const filter = readFilter(request.filter);
  await checkAskedValues(parts, principal, filter);
  const { scopes } = principal;
  if (request.verb !== 'edit_payload' || scopes.includes('sensitive')) return;
  const refuse = (scope: 'payloads' | 'sensitive', message: string) =>
    lacksScope(principal, scope, [{ pointer: '/path', message }]);
  if (!scopes.includes('payloads')) throw refuse('payloads', 'It edits payloads');
  const types = filter.terms.flatMap((term) => (term.field === 'type' && !term.isNot ? term.values : []));
  if (parts.catalog.some((contract) => types.includes(contract.type) && isSensitivePath(contract, request.path)))
    throw refuse('sensitive', 'It edits a field that a contract calls sensitive');
}
