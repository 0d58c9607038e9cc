import type { Catalog } from '@duework/contracts';
import { DueworkError } from '@duework/sql/errors';

/** The contract of a type that arrived as text. Throws `unknown_job_type`, which lists the known types. */
export function findContract<TCatalog extends Catalog>(catalog: TCatalog, type: string): TCatalog[number] {
  const contract = catalog.find((candidate) => candidate.type === type);
  if (contract === undefined)
    throw new DueworkError('unknown_job_type', { type, knownTypes: catalog.map((known) => known.type) });
  return contract;
}
