import { isSensitivePath } from '@duework/contracts';
import type { JobFilter, JobFilterTerm } from '@duework/filter';
import { ruleOfKey } from '@duework/operate';
import { lacksScope } from './lacks-scope.js';
import type { Principal } from './principal.js';

/** What a contract calls sensitive in payloads of any version. */
type Marked = Parameters<typeof isSensitivePath>[0];

/**
 * Throws `missing_scope` where a principal asks for values that it may not see, because a filter that finds a job tells what is
 * in it: for payloads, for texts of errors, which quote them, and for keys of gates that are made of them, without `payloads`
 * or `sensitive`, and for what any contract calls sensitive without `sensitive`.
 */
export function checkFilter(contracts: readonly Marked[], principal: Principal, { terms }: JobFilter): void {
  if (principal.scopes.includes('sensitive')) return;
  const asked = terms.filter((term) => term.field === 'payload');
  const refuse = (scope: 'payloads' | 'sensitive', message: string) =>
    lacksScope(principal, scope, [{ parameter: 'filter', message }]);
  if (terms.some(asksPayloads) && !principal.scopes.includes('payloads'))
    throw refuse(
      'payloads',
      'It asks for what is in payloads, which errors quote; code:… asks for the code of an error',
    );
  if (asked.some(({ path }) => contracts.some((contract) => isSensitivePath(contract, path))))
    throw refuse('sensitive', 'It asks for a field that a contract calls sensitive');
}

function asksPayloads(term: JobFilterTerm): boolean {
  if (term.field === 'gate') return term.values.some((key) => ruleOfKey(key) !== key);
  return term.field === 'payload' || term.field === 'tenant' || term.field === 'error';
}
