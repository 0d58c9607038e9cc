import { formatPlan } from './plan/format-plan.js';
import type { Plan } from './plan/plan.js';
import { shrinkPlan } from './plan/shrink-plan.js';
import { simulate, type SimulateOptions } from './simulate.js';

export interface Failure {
  readonly plan: Plan;
  readonly promise: string;
  /** The broken promise, the least that breaks it, what happened last, and how to see it again. */
  readonly text: string;
}

const LAST_LINES = 40;

/** Shrinks a plan that breaks a promise, and describes the failure. `flags`: what a replay needs besides the plan. */
export async function describeFailure(failing: Plan, options: SimulateOptions = {}, flags = ''): Promise<Failure> {
  const first = await simulate(failing, options);
  const plan = await shrinkPlan(failing, options);
  const { violation, faults, trace, workload } = await simulate(plan, { ...options, isTraced: true });
  const { promise, facts } = violation!;
  const end = trace.findIndex((line) => line.includes(' BROKEN ')) + 1;
  const lines = trace.slice(0, end);
  const text = [
    `Broken: ${promise}`,
    `        ${facts}`,
    `Seed:   ${plan.seed}; ${count(first.faults.size, 'fault')}, ${count(first.workload.jobs.length, 'job')}, ${count(first.workload.operations.length, 'operation')} and ${count(first.workload.workers, 'worker')}`,
    `Shrunk: ${count(faults.size, 'fault')}, ${count(workload.jobs.length, 'job')}, ${count(workload.operations.length, 'operation')} and ${count(workload.workers, 'worker')}`,
    `Faults: ${[...faults].map(([place, kind]) => `${place} ${kind}`).join(', ') || 'none'}`,
    lines.length > LAST_LINES
      ? `Last ${LAST_LINES} of ${lines.length} lines (ms, who, what):`
      : 'What happened (ms, who, what):',
    ...lines.slice(-LAST_LINES),
    `Replay: npm run break -- simulate ${flags === '' ? '' : `${flags} `}--replay '${formatPlan(plan)}'`,
  ].join('\n');
  return { plan, promise, text };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
