import type { Check } from '../check.js';
import { type Gate, readGates } from './read-gates.js';
import { listMoments } from './list-moments.js';

/**
 * The runs of an order's key never overlap, and none is let in while one with a lower number, which was committed before
 * that was decided, waits for its turn.
 */
export const orderHolds: Check = {
  promise: "the runs of an order's key run one at a time, and none overtakes another",
  needs: 'any run',
  check(evidence) {
    const orders = readGates(evidence).filter(({ kind }) => kind === 'order');
    return {
      counted: orders.reduce((sum, { letIn }) => sum + letIn.length, 0),
      broken: orders.flatMap((order) => [...findOverlaps(order), ...findOvertaking(order)]),
      remark: `${orders.length} keys`,
    };
  },
};

function* findOverlaps({ key, holds }: Gate): Generator<string> {
  for (const { from, holders } of listMoments(holds, []))
    if (new Set([...holders].map(({ run }) => run)).size > 1)
      yield `${key} had ${[...holders].map(({ run }) => run).join(' and ')} at ${from.toFixed(3)}`;
}

function* findOvertaking({ key, waits, letIn }: Gate): Generator<string> {
  for (const { run, at, beganAt } of letIn) {
    const passed = waits.find((wait) => Number(wait.run) < Number(run) && wait.from < beganAt && wait.to > at);
    if (passed !== undefined) yield `${key}: ${run} overtook ${passed.run} at ${at.toFixed(3)}`;
  }
}
