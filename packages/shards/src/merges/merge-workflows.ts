import { answersOf, greatest, grouped, least, type Moment, type Part, sums } from './parts.js';

interface Place {
  readonly step: string | null;
  readonly kind: string;
  readonly signal: string | null;
  readonly jobs: number;
  readonly isAtLeast: boolean;
  readonly since: Moment;
}

interface Step {
  readonly step: string;
  readonly kind: string;
  readonly p95Ms: number;
}

interface WorkflowType {
  readonly type: string;
  readonly running: number;
  readonly waiting: number;
  readonly isAtLeast: boolean;
  readonly places: readonly Place[];
  readonly steps: readonly Step[];
  readonly compensations: { readonly running: number; readonly failed: number };
}

interface Workflows<T> {
  readonly types: readonly T[];
  readonly isComplete: boolean;
}

/** Jobs of one type at one step are added up; how long it takes is that of the shard in which it is slowest. */
export function mergeWorkflows<T extends WorkflowType>(parts: readonly Part<Workflows<T>>[]): Workflows<T> {
  const lists = answersOf(parts);
  const types = grouped(
    lists.flatMap((list) => list.types),
    'type',
  ).map((rows): WorkflowType => ({
    ...rows[0],
    ...sums(rows, 'running', 'waiting'),
    isAtLeast: rows.some(({ isAtLeast }) => isAtLeast),
    places: mergePlaces(rows.flatMap(({ places }) => places)),
    steps: mergeSteps(rows.flatMap(({ steps }) => steps)),
    compensations: sums(
      rows.map(({ compensations }) => compensations),
      'running',
      'failed',
    ),
  })) as readonly WorkflowType[] as readonly T[];
  const liveOf = ({ running, waiting }: T): number => running + waiting;
  return {
    types: types.toSorted((one, other) => liveOf(other) - liveOf(one) || (one.type < other.type ? -1 : 1)),
    isComplete: lists.every(({ isComplete }) => isComplete),
  };
}

const mergePlaces = (places: readonly Place[]): readonly Place[] =>
  grouped(places, 'step', 'kind', 'signal')
    .map((rows) => ({
      ...rows[0],
      ...sums(rows, 'jobs'),
      isAtLeast: rows.some(({ isAtLeast }) => isAtLeast),
      since: least(rows, 'since'),
    }))
    .toSorted((one, other) => other.jobs - one.jobs);

const mergeSteps = (steps: readonly Step[]): readonly Step[] =>
  grouped(steps, 'step', 'kind')
    .map((rows) => rows.find(({ p95Ms }) => p95Ms === greatest(rows, 'p95Ms'))!)
    .toSorted((one, other) => other.p95Ms - one.p95Ms);
