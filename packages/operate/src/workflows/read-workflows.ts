import { formatFilter, type JobFilterTerm } from '@duework/filter';
import type { Queryable } from '@duework/queue-core';
import { findCompensations } from './sql/find-compensations.js';
import { findRunning, type RunningRow } from './sql/find-running.js';
import { findStepTimes } from './sql/find-step-times.js';
import { findWaiting, type WaitingRow } from './sql/find-waiting.js';
import type { WorkflowPlace, Workflows, WorkflowType } from './workflow-type.js';

/** The slowest of a type. */
const MAX_TIMES = 12;

export interface WorkflowsOptions {
  /** Only these; null: all. */
  readonly types?: readonly string[] | null;
  /** Types that are durable, so that they are told before a step of theirs is kept. */
  readonly durable?: readonly string[];
}

/**
 * The durable types with where their live jobs are: at which steps they wait and run, since when, which steps are the slowest, and
 * what is compensated. A type is told once it has kept a step. Of all waits 30,000 are counted, of each step as many and at
 * most 10,000; of the steps that have ended the newest 2,500 are timed, of each type as many.
 */
export async function readWorkflows(
  db: Queryable,
  { types = null, durable = [] }: WorkflowsOptions = {},
): Promise<Workflows> {
  const waiting = await findWaiting(db);
  const times = await findStepTimes(db);
  const compensations = await findCompensations(db);
  const named = [...durable, ...[...waiting.rows, ...times, ...compensations].map(({ type }) => type)];
  const shown = [...new Set(named)].filter((type) => types === null || types.includes(type));
  const running = shown.length === 0 ? [] : await findRunning(db, shown);
  const of = <T extends { readonly type: string }>(rows: readonly T[], type: string): T[] =>
    rows.filter((row) => row.type === type);
  const found = shown.map((type): WorkflowType => {
    const waits = of(waiting.rows, type).map(waitsAt);
    const runs = of(running, type).map(runsAt);
    const { running: compensating = 0, failed = 0 } = of(compensations, type)[0] ?? {};
    return {
      type,
      running: sum(runs),
      waiting: sum(waits),
      isAtLeast: [...waits, ...runs].some(({ isAtLeast }) => isAtLeast),
      places: [...waits, ...runs].toSorted(byJobs),
      steps: of(times, type)
        .slice(0, MAX_TIMES)
        .map(({ type: _, ...step }) => step),
      compensations: { running: compensating, failed },
    };
  });
  return {
    types: found.toSorted((left, right) => liveOf(right) - liveOf(left) || (left.type < right.type ? -1 : 1)),
    isComplete: waiting.isComplete && !running.some(({ isAtLeast }) => isAtLeast),
  };
}

const sum = (places: readonly WorkflowPlace[]): number => places.reduce((all, { jobs }) => all + jobs, 0);
const liveOf = ({ running, waiting }: WorkflowType): number => running + waiting;

/** Most jobs first; as many by who came first, so that none changes its place from one reading to the next. */
const byJobs = (left: WorkflowPlace, right: WorkflowPlace): number =>
  right.jobs - left.jobs || Number(left.since) - Number(right.since);

const term = (field: 'type' | 'at', value: string): JobFilterTerm => ({ field, isNot: false, values: [value] });

function waitsAt({ type, step, kind, signal, jobs, isAtLeast, sinceMs }: WaitingRow): WorkflowPlace {
  const filter = formatFilter({ terms: [term('type', type), term('at', step)] });
  return { step, kind, signal, jobs, isAtLeast, since: new Date(sinceMs), filter };
}

function runsAt({ type, step, jobs, isAtLeast, sinceMs }: RunningRow): WorkflowPlace {
  const filter = formatFilter({
    terms: [term('type', type), { field: 'status', isNot: false, values: ['running'] }],
  });
  return { step, kind: 'work', signal: null, jobs, isAtLeast, since: new Date(sinceMs), filter };
}
