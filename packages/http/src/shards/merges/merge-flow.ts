import type { Body } from '../ask-shard.js';
import { greatest, least, type Merge, some, sums, union } from './sums.js';

/**
 * One rule of all shards: its terms hold in each of them by itself, and its counts are added up. `shards` says which rule each
 * has, so that terms which differ are seen.
 */
export const mergeRule: Merge = (answers) => {
  const rows = answers.map(({ body }) => body);
  return {
    ...rows[0],
    ...sums(rows, ['keys', 'running', 'used', 'waiting', 'closed', 'trying', 'blocked']),
    types: union(rows, 'types'),
    waitingSince: least(rows, 'waitingSince'),
    closedUntil: greatest(rows, 'closedUntil'),
    isAtLeast: some(rows, 'isAtLeast'),
    shards: answers.map(({ shard, body }): Body => ({ shard, terms: body['terms'] as Body })),
  };
};

export const mergeFlowPreview: Merge = (answers) => {
  const rows = answers.map(({ body }) => body);
  return {
    ...rows[0],
    ...sums(rows, ['running', 'waiting', 'letIn', 'over']),
    isAtLeast: some(rows, 'isAtLeast'),
  };
};

const MAX_HOLDERS = 20;

/** One key of all shards, each of which has let in by its own. */
export const mergeKey: Merge = (answers) => {
  const rows = answers.map(({ body }) => body);
  return {
    ...rows[0],
    ...sums(rows, ['used', 'waiting', 'failed', 'attempts']),
    holders: rows.flatMap((row) => row['holders'] as Body[]).slice(0, MAX_HOLDERS),
    waitingIsAtLeast: some(rows, 'waitingIsAtLeast'),
    waitingSince: least(rows, 'waitingSince'),
    closedUntil: greatest(rows, 'closedUntil'),
    shards: answers.map(({ shard }) => shard),
  };
};
