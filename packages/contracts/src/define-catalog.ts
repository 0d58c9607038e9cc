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

/** The contracts; if two have one type, a sentence replaces their own type. */
type OnePerType<TCatalog extends Catalog> =
  HasTwice<TCatalog> extends true
    ? {
        readonly [I in keyof TCatalog]: TCatalog[I]['type'] extends TwiceIn<TCatalog>
          ? `two contracts have the type ${TCatalog[I]['type']}`
          : unknown;
      }
    : unknown;

/** What is no tuple, a list made at run time, has no types to compare. */
type HasTwice<TCatalog extends Catalog> = number extends TCatalog['length']
  ? false
  : [TwiceIn<TCatalog>] extends [never]
    ? false
    : true;
type TwiceIn<TCatalog extends Catalog> = FindTwice<{ readonly [I in keyof TCatalog]: TCatalog[I]['type'] }>;

/** The names that come twice in a tuple; four in one step, because TypeScript takes a thousand steps. */
type FindTwice<TNames, TSeen = never, TFound = never> = TNames extends readonly [
  infer A,
  infer B,
  infer C,
  infer D,
  ...infer TRest,
]
  ? FindTwice<
      TRest,
      TSeen | A | B | C | D,
      TFound | Among<A, TSeen> | Among<B, TSeen | A> | Among<C, TSeen | A | B> | Among<D, TSeen | A | B | C>
    >
  : TNames extends readonly [infer A, ...infer TRest]
    ? FindTwice<TRest, TSeen | A, TFound | Among<A, TSeen>>
    : TFound;
type Among<T, TSeen> = string extends T ? never : T extends TSeen ? T : never;

/**
 * The list of contracts, as it is. Throws `ContractError`: `duplicate_job_type` when two share a type, `flow_rules_differ`
 * when two declare a rule of one name differently.
 */
export function defineCatalog<const TCatalog extends Catalog>(contracts: TCatalog & OnePerType<TCatalog>): TCatalog {
  const types = new Set<string>();
  for (const { type } of contracts) {
    if (types.has(type))
      throw new ContractError('duplicate_job_type', `Two contracts have the type ${type}. Rename one.`);
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
          `${other.type} and ${type} share ${rule.name} but declare it differently: ${JSON.stringify(other.rule.declared)} and ${JSON.stringify(rule.declared)}.`,
        );
      known.set(rule.name, { type, rule });
    }
}
