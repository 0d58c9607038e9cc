import { quantile } from '../../../../kit/quantile.js';
import { IDLE_MS, LOST_MS } from '../../limits.js';
import type { Check } from '../check.js';
import { listIdle } from './list-idle.js';
import { countUnits, listMoments } from './list-moments.js';
import { type Gate, readGates } from './read-gates.js';

/** Of a limit never more is held than its `max`, whatever workers, connections and people do. */
export const limitsHold: Check = {
  promise: 'no limit is exceeded at any moment',
  check(evidence) {
    const broken: string[] = [];
    let counted = 0;
    let full = 0;
    for (const { key, kind, rule, holds } of readGates(evidence)) {
      if (kind !== 'limit') continue;
      const { max } = rule;
      if (max === null) {
        broken.push(`${key} has no rule`);
        continue;
      }
      counted += holds.length;
      let isFull = false;
      for (const { from, holders } of listMoments(holds, [])) {
        const used = countUnits(holders, max);
        isFull ||= used === max;
        if (used <= max) continue;
        const runs = [...holders].map(({ run }) => run).join(', ');
        broken.push(`${key} of ${max} had ${used} at ${from.toFixed(3)}: ${runs}`);
      }
      if (isFull) full++;
    }
    return { counted, broken, remark: `${full} keys were full at some time` };
  },
};

/**
 * The runs of an order's key never overlap, and none is let in while one with a lower number, which was committed before
 * that was decided, waits for its turn.
 */
export const orderHolds: Check = {
  promise: "the runs of an order's key run one at a time, and none overtakes another",
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

/** The database's times are kept to a millionth of a second. */
const ROUNDED_UNITS = 0.001;

/** In no stretch of time are more let in than the rate allows, with its burst. */
export const ratesHold: Check = {
  promise: 'no rate is exceeded in any stretch of time',
  check(evidence) {
    const broken: string[] = [];
    let counted = 0;
    for (const { key, kind, rule, letIn } of readGates(evidence)) {
      const { unitMs, burst } = rule;
      if (kind !== 'rate' || unitMs === null || burst === null) continue;
      counted += letIn.length;
      /** The moment up to which its units are used up. */
      let usedUp = -Infinity;
      for (const { at, run, units } of letIn.toSorted((a, b) => a.at - b.at)) {
        usedUp = Math.max(usedUp, at) + units * unitMs;
        const ahead = (usedUp - at) / unitMs - burst;
        if (ahead > ROUNDED_UNITS) broken.push(`${key}: ${run} was let in ${ahead.toFixed(2)} units too early`);
      }
    }
    return { counted, broken };
  },
};

/** A slot whose run has ended or was held again is never kept from those who wait. */
export const noLostSlots: Check = {
  promise: 'no slot is lost: none lies idle for 10 s beside a run that waits',
  check(evidence) {
    const idle = listIdle(evidence);
    const broken = idle
      .filter(({ ms }) => ms > LOST_MS)
      .map(({ key, from, ms }) => `${key} lay idle for ${(ms / 1_000).toFixed(1)} s from ${from.toFixed(0)} on`);
    return { counted: idle.length, broken };
  },
};

/** How long room lay idle at a key beside a run that waited there and was due. */
export const noIdleSlots: Check = {
  promise: 'a slot that gets free beside a run that waits is used within 50 ms (p99)',
  isFigure: true,
  check(evidence) {
    const idle = listIdle(evidence).map(({ ms }) => ms);
    const at = (share: number): number => (idle.length === 0 ? 0 : quantile(idle, share));
    const said = `p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms, longest ${at(1).toFixed(0)} ms`;
    return { counted: idle.length, broken: at(0.99) > IDLE_MS ? [said] : [], remark: said };
  },
};
