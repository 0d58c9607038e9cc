import type { Catalog, JobContract } from '@duework/contracts';
import { PlainError } from '../plain-error.js';

/** The contract of what an old system calls so; null: none is to be moved. */
export type ContractOf = (name: string) => JobContract | null;

export interface TypeNames {
  readonly contractOf: ContractOf;
  /** Under which name jobs of a contract go back: one that was given, one that is there, or the type. */
  readonly nameOf: (contract: JobContract, known: readonly string[]) => string;
  /** What is to be moved. */
  readonly contracts: readonly JobContract[];
}

/**
 * Which contract a name of the old system means: the one that `--names` says, or of the type that is called so.
 *
 * @param types - those that are to be moved; undefined: all
 * @param names - each `old-name=type`
 * @throws PlainError `unknown_type`, `option_wrong`
 */
export function readTypeNames(
  catalog: Catalog,
  types: readonly string[] | undefined,
  names: readonly string[],
): TypeNames {
  const find = (type: string): JobContract => {
    const contract = catalog.find((one) => one.type === type);
    if (contract !== undefined) return contract;
    throw new PlainError('unknown_type', `The catalog has no type ${type}.`);
  };
  const given = new Map(
    names.map((pair) => {
      const at = pair.lastIndexOf('=');
      if (at < 1) throw new PlainError('option_wrong', `--names takes old-name=type, but not ${JSON.stringify(pair)}.`);
      return [pair.slice(0, at), find(pair.slice(at + 1))] as const;
    }),
  );
  const contracts = types === undefined ? [...catalog] : types.map(find);
  const contractOf: ContractOf = (name) => {
    const contract = given.get(name) ?? catalog.find(({ type }) => type === name);
    return contract !== undefined && contracts.includes(contract) ? contract : null;
  };
  return {
    contracts,
    contractOf,
    nameOf: (contract, known) =>
      [...given].find(([, one]) => one === contract)?.[0] ??
      known.find((name) => contractOf(name) === contract) ??
      contract.type,
  };
}
