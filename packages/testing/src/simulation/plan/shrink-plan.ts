import type { Plan } from './plan.js';
import { reduceList } from './reduce-list.js';
import { simulate, type SimulateOptions } from '../simulate.js';

/** The most rounds of shrinking; then the plan stays as it is. */
const MAX_ROUNDS = 5;

/**
 * Returns a smaller plan that breaks the same promise: without every fault, operation, job and worker that can be left
 * out. Leaving out a part changes no other, because each part draws its random numbers from a key of its own.
 *
 * A library for properties shrinks what it has generated beforehand; here faults are drawn on the way, place by place,
 * so the plan has to be shrunk.
 */
export async function shrinkPlan(failing: Plan, options: SimulateOptions = {}): Promise<Plan> {
  const { violation, faults, workload } = await simulate(failing, options);
  if (violation === null) throw new Error('This plan breaks no promise.');
  const isFailing = async (plan: Plan): Promise<boolean> =>
    (await simulate(plan, options)).violation?.promise === violation.promise;
  let plan: Plan = { seed: failing.seed, ...workload, faults };
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = sizeOf(plan);
    const known = plan;
    plan = {
      ...known,
      operations: await reduceList(known.operations!, (operations) => isFailing({ ...known, operations })),
    };
    const fewer = plan;
    plan = { ...fewer, jobs: await reduceList(fewer.jobs!, (jobs) => isFailing({ ...fewer, jobs })) };
    const lighter = plan;
    plan = {
      ...lighter,
      faults: new Map(
        await reduceList([...lighter.faults!], (kept) => isFailing({ ...lighter, faults: new Map(kept) })),
      ),
    };
    for (let workers = 1; workers < plan.workers!; workers++)
      if (await isFailing({ ...plan, workers })) plan = { ...plan, workers };
    if (sizeOf(plan) === before) break;
  }
  return plan;
}

function sizeOf({ jobs, operations, faults, workers }: Plan): number {
  return jobs!.length + operations!.length + faults!.size + workers!;
}
