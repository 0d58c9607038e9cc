import { type BulkRequest, readFilter } from '@duework/operate';
import type { ApiParts } from '../api.js';
import { checkAskedValues } from './check-asked-values.js';
import { checkEdit, typesOf } from './check-edit.js';
import type { Principal } from './principal.js';

/** Throws `missing_scope` for a bulk action that asks for, or writes, what its caller may not see, and `invalid_filter`. */
export async function checkBulkRequest(
  parts: Pick<ApiParts, 'db' | 'catalog'>,
  principal: Principal,
  request: BulkRequest,
): Promise<void> {
  await checkAskedValues(parts, principal, readFilter(request.filter));
  if (request.verb === 'edit_payload')
    checkEdit(parts, principal, { types: typesOf(request.filter), path: request.path, pointer: '/path' });
}
