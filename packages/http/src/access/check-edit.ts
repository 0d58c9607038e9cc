import { isSensitivePath } from '@duework/contracts';
import { readFilter } from '@duework/operate';
import type { ApiParts } from '../api.js';
import { lacksScope } from './lacks-scope.js';
import type { Principal } from './principal.js';
import { maySeePayloads } from './shown/withhold.js';

/** What is written into payloads that are stored. */
interface Edit {
  readonly types: readonly string[];
  /** The names on the way to the field; none: the whole payload. */
  readonly path: readonly string[];
  /** Where the request says so. */
  readonly pointer: string;
}

/**
 * Throws `missing_scope` for whoever writes into payloads what it may not read there: without `payloads` or `sensitive` nothing, because
 * what is refused tells about the other fields; and without `sensitive` no field that a contract calls sensitive, nor one that holds it.
 */
export function checkEdit({ catalog }: Pick<ApiParts, 'catalog'>, principal: Principal, edit: Edit): void {
  if (principal.scopes.includes('sensitive')) return;
  const refuse = (scope: 'payloads' | 'sensitive', message: string) =>
    lacksScope(principal, scope, [{ pointer: edit.pointer, message }]);
  if (!maySeePayloads(principal)) throw refuse('payloads', 'It edits payloads');
  if (catalog.some((contract) => edit.types.includes(contract.type) && isSensitivePath(contract, edit.path)))
    throw refuse('sensitive', 'It edits a field that a contract calls sensitive');
}

/** The types whose jobs a filter finds, as it names them. */
export function typesOf(filter: string): readonly string[] {
  return readFilter(filter).terms.flatMap((term) => (term.field === 'type' && !term.isNot ? term.values : []));
}
