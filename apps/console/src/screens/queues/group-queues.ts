import type { Pause, QueueState } from '../../api/now-queries.js';

/** A queue with its types and their sums. */
export interface Queue {
  readonly name: string;
  readonly pause: Pause | null;
  readonly types: readonly QueueState[];
  readonly sum: Pick<
    QueueState,
    | 'due'
    | 'held'
    | 'running'
    | 'scheduled'
    | 'retrying'
    | 'succeeded'
    | 'failed'
    | 'dead'
    | 'oldestWaitingSeconds'
    | 'isAtLeast'
  >;
}

/** Queues by name, each with the types that wait, run or ran lately in it. */
export function groupQueues(states: readonly QueueState[]): readonly Queue[] {
  const byName = new Map<string, QueueState[]>();
  for (const state of states) byName.set(state.queue, [...(byName.get(state.queue) ?? []), state]);
  return [...byName]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, all]) => ({
      name,
      pause: all.flatMap(({ pauses }) => pauses).find(({ kind }) => kind === 'queue') ?? null,
      // a paused queue that is empty has a line without a type
      types: all.filter(({ type }) => type !== ''),
      sum: {
        due: add(all, 'due'),
        held: add(all, 'held'),
        running: add(all, 'running'),
        scheduled: add(all, 'scheduled'),
        retrying: add(all, 'retrying'),
        succeeded: addKnown(all, 'succeeded'),
        failed: addKnown(all, 'failed'),
        dead: addKnown(all, 'dead'),
        oldestWaitingSeconds: Math.max(...all.map(({ oldestWaitingSeconds }) => oldestWaitingSeconds)),
        isAtLeast: all.some(({ isAtLeast }) => isAtLeast),
      },
    }));
}

type Now = 'due' | 'held' | 'running' | 'scheduled' | 'retrying';
type Lately = 'succeeded' | 'failed' | 'dead';
const add = (all: readonly QueueState[], name: Now): number => all.reduce((sum, one) => sum + one[name], 0);
/** null: the queue keeps no figures of the past. */
const addKnown = (all: readonly QueueState[], name: Lately): number | null =>
  all.reduce<number | null>((sum, one) => (sum === null || one[name] === null ? null : sum + one[name]), 0);
