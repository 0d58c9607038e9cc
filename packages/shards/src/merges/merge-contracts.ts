import { answersOf, by, grouped, least, type Moment, type Part, sums, union } from './parts.js';

interface Contract {
  readonly type: string;
  readonly defaults: { readonly version: number } | null;
  readonly versions: readonly {
    readonly version: number;
    readonly firstSeenAt: Moment | null;
    readonly workers: readonly string[] | null;
  }[];
}

/** A type is registered in each shard by itself: its versions are those of any of them. */
export function mergeContracts(parts: readonly Part<{ readonly contracts: readonly Contract[] }>[]): {
  contracts: Contract[];
} {
  const contracts = grouped(
    answersOf(parts).flatMap((one) => one.contracts),
    'type',
  ).map((same): Contract => {
    const defaults = same.flatMap((one) => one.defaults ?? []);
    const versions = grouped(
      same.flatMap((one) => one.versions),
      'version',
    );
    return {
      type: same[0].type,
      defaults: defaults.sort((one, other) => other.version - one.version)[0] ?? null,
      versions: versions
        .map((ones) => ({
          ...ones[0],
          firstSeenAt: least(ones, 'firstSeenAt'),
          workers: union(ones.map(({ workers }) => workers ?? [])),
        }))
        .sort(by('version')),
    };
  });
  return { contracts: contracts.sort(by('type')) };
}

const MAX_FAULTS = 20;

interface Fault {
  readonly code: string;
  readonly path: string;
  readonly jobs: number;
}

interface Parses {
  readonly looked: number;
  readonly isComplete: boolean;
  readonly versions: readonly {
    readonly version: number;
    readonly state: string;
    readonly checked: number;
    readonly fits: number;
    readonly sealed: number;
    readonly faulty: number;
    readonly faults: readonly Fault[];
  }[];
}

/** What waits of a type in all shards, by version. */
export function mergeParses(parts: readonly Part<Parses>[]): Parses {
  const parses = answersOf(parts);
  const versions = grouped(
    parses.flatMap((one) => one.versions),
    'version',
  );
  return {
    ...sums(parses, 'looked'),
    isComplete: parses.every(({ isComplete }) => isComplete),
    versions: versions
      .map((same) => ({
        version: same[0].version,
        state: same[0].state,
        ...sums(same, 'checked', 'fits', 'sealed', 'faulty'),
        faults: mergeFaults(same.flatMap(({ faults }) => faults)),
      }))
      .sort(by('version')),
  };
}

const mergeFaults = (faults: readonly Fault[]): Fault[] =>
  grouped(faults, 'code', 'path')
    .map((same) => ({ ...same[0], ...sums(same, 'jobs') }))
    .sort((one, other) => other.jobs - one.jobs)
    .slice(0, MAX_FAULTS);
