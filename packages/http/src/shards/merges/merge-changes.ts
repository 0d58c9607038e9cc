import type { Body } from '../ask-shard.js';
import { least, type Merge, sums } from './sums.js';

/** What was paused, and in which shards. */
export const mergePause: Merge = (answers) => ({ ...answers[0]!.body, shards: answers.map(({ shard }) => shard) });

/** The pause that has ended, of the first shard that had one; `shards`: those in which it has. */
export const mergeResumed: Merge = (answers) => {
  const ended = answers.filter(({ body }) => body['pause'] !== null);
  return { pause: (ended[0]?.body['pause'] as Body | undefined) ?? null, shards: ended.map(({ shard }) => shard) };
};

export const mergeWoken: Merge = (answers) => {
  const rows = answers.map(({ body }) => body);
  return { ...sums(rows, ['fired', 'skipped', 'waiting']), nextTickInMs: least(rows, 'nextTickInMs') };
};
