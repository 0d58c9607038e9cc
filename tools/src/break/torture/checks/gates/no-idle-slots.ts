import { IDLE_MS } from '../../limits.js';
import type { Check } from '../check.js';
import { listIdle } from './list-idle.js';

/** How long room lay idle at a key beside a run that waited there and was due. */
export const noIdleSlots: Check = {
  promise: 'a slot that gets free beside a run that waits is used within 50 ms (p99)',
  isFigure: true,
  needs: 'any run',
  check(evidence) {
    const sorted = listIdle(evidence)
      .map(({ ms }) => ms)
      .toSorted((a, b) => a - b);
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    const said = `p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms, longest ${at(1).toFixed(0)} ms`;
    return { counted: sorted.length, broken: at(0.99) > IDLE_MS ? [said] : [], remark: said };
  },
};
