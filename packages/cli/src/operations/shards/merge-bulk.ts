import type { BulkAction } from '@duework/operate';
import { nameId } from '@duework/shards';
import type { BulkLook } from '../bulk-operations.js';
import type { ShardAnswer } from './all-shards.js';

const MAX_SAMPLE = 10;
/** A sign that is in no id. */
const JOINT = '~';

export const joinIds = (ids: readonly string[]): string => ids.join(JOINT);
export const splitIds = (id: string): readonly string[] => id.split(JOINT);

/** What an action would do in all shards. */
export function mergeLooks(looks: readonly ShardAnswer<BulkLook>[]): BulkLook {
  const refused = new Map<string, BulkLook['refused'][number]>();
  for (const one of looks.flatMap(({ answer }) => answer.refused)) {
    const known = refused.get(one.code);
    // one that was not counted makes the sum unknown
    const count = one.count === null || known?.count === null ? null : one.count + (known?.count ?? 0);
    refused.set(one.code, { ...one, count });
  }
  return {
    statuses: looks[0]!.answer.statuses,
    count: sumCounts(looks.map(({ answer }) => answer.count)),
    refused: [...refused.values()],
    sample: looks
      .flatMap(({ shard, answer }) => answer.sample.map((job) => ({ ...job, id: nameId(shard, job.id) })))
      .slice(0, MAX_SAMPLE),
  };
}

/** The actions of several shards as one, whose id has the ids of all. */
export function mergeActions(parts: readonly ShardAnswer<BulkAction>[]): BulkAction {
  const actions = parts.map(({ answer }) => answer);
  const isRunning = actions.some(({ status }) => status === 'running');
  const isAborted = actions.some(({ status }) => status === 'aborted');
  const moments = (field: 'createdAt' | 'finishedAt' | 'undoUntil'): Date[] =>
    actions.flatMap((action) => action[field] ?? []).sort((a, b) => a.getTime() - b.getTime());
  const undone = parts.flatMap(({ shard, answer }) => (answer.undoOf === null ? [] : nameId(shard, answer.undoOf)));
  const refused: Record<string, number> = {};
  for (const action of actions)
    for (const [code, count] of Object.entries(action.refused)) refused[code] = (refused[code] ?? 0) + count;
  return {
    ...actions[0]!,
    id: joinIds(parts.map(({ shard, answer }) => nameId(shard, answer.id))),
    undoOf: undone.length === 0 ? null : joinIds(undone),
    status: isRunning ? 'running' : isAborted ? 'aborted' : 'finished',
    total: sumCounts(actions.map(({ total }) => total)),
    done: actions.reduce((sum, { done }) => sum + done, 0),
    refused,
    createdAt: moments('createdAt')[0]!,
    finishedAt: isRunning ? null : (moments('finishedAt').at(-1) ?? null),
    undoUntil: isRunning ? null : (moments('undoUntil')[0] ?? null),
  };
}

type Count = BulkLook['count'];

const sumCounts = (counts: readonly Count[]): Count => ({
  count: counts.reduce((sum, { count }) => sum + count, 0),
  isAtLeast: counts.some(({ isAtLeast }) => isAtLeast),
});
