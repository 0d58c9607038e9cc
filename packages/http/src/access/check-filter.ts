import type { JobFilter } from '@duework/filter';
import { lacksScope } from './lacks-scope.js';
import type { Principal } from './principal.js';

/** Throws `missing_scope` where a principal asks for payloads that it may not see: a filter that finds a job tells what is in it. */
export function checkFilter(principal: Principal, { terms }: JobFilter): void {
  // guard: payload-filter-scope
  if (!principal.scopes.includes('payloads') && terms.some(({ field }) => field === 'payload'))
    throw lacksScope(principal, 'payloads', [{ parameter: 'filter', message: 'It asks for what is in payloads' }]);
  // guard end: payload-filter-scope
}
