import { answersOf, greatest, grouped, least, type Moment, type Part, sums } from './parts.js';

const MAX_SAMPLE = 10;

export interface Count {
  readonly count: number;
  /** There are more than were searched. */
  readonly isAtLeast: boolean;
}

export const mergeCount = (counts: readonly Count[]): Count => ({
  ...sums(counts, 'count'),
  isAtLeast: counts.some(({ isAtLeast }) => isAtLeast),
});

export interface PreviewPart {
  readonly statuses: readonly string[];
  readonly count: Count;
  readonly refused: readonly { readonly code: string; readonly count: number | null }[];
  readonly sample: readonly object[];
}

/** What an action would do in all shards. */
export function mergePreview<T extends PreviewPart>(parts: readonly Part<T>[]): Pick<T, keyof PreviewPart> {
  const previews = answersOf(parts);
  const refused = grouped(
    previews.flatMap((one) => one.refused),
    'code',
  ).map((same) => ({
    ...same[0],
    // one that was not counted makes the sum unknown
    count: same.some(({ count }) => count === null) ? null : sums(same, 'count').count,
  }));
  return {
    statuses: previews[0]!.statuses,
    count: mergeCount(previews.map(({ count }) => count)),
    refused,
    sample: previews.flatMap(({ sample }) => sample).slice(0, MAX_SAMPLE),
  } as Pick<T, keyof PreviewPart>;
}

export interface ActionPart {
  readonly id: string;
  readonly undoOf: string | null;
  readonly status: 'running' | 'finished' | 'aborted';
  readonly total: Count;
  readonly done: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly createdAt: Moment;
  readonly finishedAt: Moment | null;
  readonly undoUntil: Moment | null;
}

/** One action in each of several shards: they are shown as one, whose id has the ids of all. */
export function mergeAction<T extends ActionPart>(parts: readonly Part<T>[]): T {
  const actions = answersOf(parts);
  const isRunning = actions.some(({ status }) => status === 'running');
  const isAborted = actions.some(({ status }) => status === 'aborted');
  const undone = actions.map(({ undoOf }) => undoOf);
  return {
    ...actions[0]!,
    id: joinIds(actions.map(({ id }) => id)),
    // it undoes an action of all its shards, or none
    undoOf: undone.some((id) => id === null) ? null : joinIds(undone as string[]),
    status: isRunning ? 'running' : isAborted ? 'aborted' : 'finished',
    total: mergeCount(actions.map(({ total }) => total)),
    ...sums(actions, 'done'),
    refused: sumsByName(actions.map(({ refused }) => refused)),
    createdAt: least(actions, 'createdAt'),
    finishedAt: isRunning ? null : greatest(actions, 'finishedAt'),
    undoUntil: isRunning ? null : least(actions, 'undoUntil'),
  };
}

function sumsByName(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const one of all) for (const [name, count] of Object.entries(one)) total[name] = (total[name] ?? 0) + count;
  return total;
}

/** A sign that stands in addresses as it is, and in no id. */
const JOINT = '~';

export const joinIds = (ids: readonly string[]): string => ids.join(JOINT);
export const splitIds = (id: string): readonly string[] => id.split(JOINT);

/** The rate of an action, divided among so many shards. */
export const shareRate = (perSecond: number, shards: number): number => Math.max(1, Math.floor(perSecond / shards));
