import type { Body } from '../ask-shard.js';
import { by, every, grouped, least, type Merge, sums, union } from './sums.js';

/** A type is registered in each shard by itself: its versions are those of any of them. */
export const mergeContracts: Merge = (answers) => ({
  contracts: grouped(answers, 'contracts', ['type'])
    .map((rows): Body => {
      const defaults = rows.map((row) => row['defaults'] as Body | null).filter((one) => one !== null);
      const versions = new Map<number, Body[]>();
      for (const one of rows.flatMap((row) => row['versions'] as Body[])) {
        const version = one['version'] as number;
        versions.set(version, [...(versions.get(version) ?? []), one]);
      }
      return {
        type: rows[0]!['type'] as string,
        defaults: defaults.sort((one, other) => other['version'] - one['version'])[0] ?? null,
        versions: [...versions.values()]
          .map((same): Body => ({
            ...same[0],
            firstSeenAt: least(same, 'firstSeenAt'),
            workers: union(same, 'workers'),
          }))
          .sort(by('version')),
      };
    })
    .sort(by('type')),
});

const MAX_FAULTS = 20;

/** What waits of a type in all shards, by version. */
export const mergeParses: Merge = (answers) => {
  const rows = answers.map(({ body }) => body);
  return {
    ...sums(rows, ['looked']),
    isComplete: every(rows, 'isComplete'),
    versions: grouped(answers, 'versions', ['version'])
      .map((same): Body => ({
        version: same[0]!['version'] as number,
        state: same[0]!['state'] as string,
        ...sums(same, ['checked', 'fits', 'sealed', 'faulty']),
        faults: mergeFaults(same.flatMap((row) => row['faults'] as Body[])),
      }))
      .sort(by('version')),
  };
};

function mergeFaults(faults: readonly Body[]): Body[] {
  const byPlace = new Map<string, Body>();
  for (const fault of faults) {
    const key = JSON.stringify([fault['code'], fault['path']]);
    const known = byPlace.get(key);
    byPlace.set(key, known === undefined ? fault : { ...known, ...sums([known, fault], ['jobs']) });
  }
  return [...byPlace.values()].sort((one, other) => other['jobs'] - one['jobs']).slice(0, MAX_FAULTS);
}
