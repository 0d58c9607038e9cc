import type { Body } from '../ask-shard.js';
import { greatest, least, type Merge, some, sums, sumsByName } from './sums.js';

const MAX_SAMPLE = 10;

/** What an action would do in all shards. */
export const mergePreview: Merge = (answers) => {
  const rows = answers.map(({ body }) => body);
  const refusals = new Map<string, Body[]>();
  for (const one of rows.flatMap((row) => row['refused'] as Body[])) {
    const code = one['code'] as string;
    refusals.set(code, [...(refusals.get(code) ?? []), one]);
  }
  return {
    statuses: rows[0]!['statuses'] as string[],
    count: mergeCount(rows.map((row) => row['count'] as Body)),
    refused: [...refusals.values()].map((same): Body => ({
      ...same[0],
      // one that was not counted makes the sum unknown
      count: same.some(({ count }) => count === null) ? null : sums(same, ['count'])['count'],
    })),
    sample: rows.flatMap((row) => row['sample'] as Body[]).slice(0, MAX_SAMPLE),
    shards: answers.map(({ shard, body }): Body => ({ shard, count: body['count'] as Body })),
  };
};

/** One action in each of several shards: they are shown as one, whose id has the ids of all. */
export const mergeAction: Merge = (answers) => {
  const rows = answers.map(({ body }) => body);
  const isRunning = rows.some((row) => row['status'] === 'running');
  const isAborted = rows.some((row) => row['status'] === 'aborted');
  return {
    ...rows[0],
    id: joinIds(rows.map((row) => row['id'] as string)),
    undoOf: rows.some((row) => row['undoOf'] === null) ? null : joinIds(rows.map((row) => row['undoOf'] as string)),
    status: isRunning ? 'running' : isAborted ? 'aborted' : 'finished',
    total: mergeCount(rows.map((row) => row['total'] as Body)),
    ...sums(rows, ['done']),
    refused: sumsByName(rows, 'refused'),
    createdAt: least(rows, 'createdAt'),
    finishedAt: isRunning ? null : greatest(rows, 'finishedAt'),
    undoUntil: isRunning ? null : least(rows, 'undoUntil'),
    shards: answers.map(({ shard, body: { id, status, filter, total, done } }): Body => ({
      shard,
      id,
      status,
      filter,
      total,
      done,
    })),
  };
};

/** A sign that stands in addresses as it is, and in no id. */
const JOINT = '~';

export const joinIds = (ids: readonly string[]): string => ids.join(JOINT);
export const splitIds = (id: string): readonly string[] => id.split(JOINT);

function mergeCount(counts: readonly Body[]): Body {
  return { ...sums(counts, ['count']), isAtLeast: some(counts, 'isAtLeast') };
}
