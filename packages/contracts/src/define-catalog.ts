import { ContractError } from './contract-error.js';
import type { JobContract } from './define-job.js';

/** Every contract a system knows. The worker's map of handlers is exhaustive over it. */
export type Catalog = readonly JobContract[];

/** The contract of one type in a catalog. */
export type ContractOf<TCatalog extends Catalog, TType extends TCatalog[number]['type']> = Extract<
  TCatalog[number],
  { type: TType }
>;

/** The list of contracts, as it is. Throws `ContractError` (`duplicate_job_type`) when two share a type. */
export function defineCatalog<const TCatalog extends Catalog>(contracts: TCatalog): TCatalog {
  const types = new Set<string>();
  for (const { type } of contracts) {
    if (types.has(type)) throw new ContractError('duplicate_job_type', `Two contracts have the type ${type}.`);
    types.add(type);
  }
  return contracts;
}
