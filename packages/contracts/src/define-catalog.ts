import { ContractError } from './contract-error.js';
import type { JobContract } from './job-contract.js';
import type { FlowRule } from './flow/flow-rule.js';

/** Every contract a system knows. The worker's map of handlers is exhaustive over it. */
export type Catalog = readonly JobContract[];

/** The contract of one type in a catalog. */
export type ContractOf<TCatalog extends Catalog, TType extends TCatalog[number]['type']> = Extract<
  TCatalog[number],
  { type: TType }
>;

/**
 * The list of contracts, as it is. Throws `ContractError`: `duplicate_job_type` when two share a type, `flow_rules_differ`
 * when two declare a rule of one name differently.
 */
export function defineCatalog<const TCatalog extends Catalog>(contracts: TCatalog): TCatalog {
  const types = new Set<string>();
  for (const { type } of contracts) {
    if (types.has(type)) throw new ContractError('duplicate_job_type', `Two contracts have the type ${type}.`);
    types.add(type);
  }
  checkShared(contracts);
  return contracts;
}

/** Which of two rules of one name counted would depend on who came last. */
function checkShared(contracts: Catalog): void {
  const known = new Map<string, { readonly type: string; readonly rule: FlowRule }>();
  for (const { type, flow } of contracts)
    for (const rule of flow ?? []) {
      const other = known.get(rule.name);
      if (other !== undefined && JSON.stringify(other.rule.declared) !== JSON.stringify(rule.declared))
        throw new ContractError(
          'flow_rules_differ',
          `${other.type} and ${type} share ${rule.name} and declare it differently: ${JSON.stringify(other.rule.declared)} and ${JSON.stringify(rule.declared)}.`,
        );
      known.set(rule.name, { type, rule });
    }
}
