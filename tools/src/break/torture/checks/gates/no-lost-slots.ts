import { LOST_MS } from '../../limits.js';
import type { Check } from '../check.js';
import { listIdle } from './list-idle.js';

/** A slot whose run has ended or was held again is never kept from those who wait. */
export const noLostSlots: Check = {
  promise: 'no slot is lost: none lies idle for 10 s beside a run that waits',
  needs: 'any run',
  check(evidence) {
    const idle = listIdle(evidence);
    const broken = idle
      .filter(({ ms }) => ms > LOST_MS)
      .map(({ key, from, ms }) => `${key} lay idle for ${(ms / 1_000).toFixed(1)} s from ${from.toFixed(0)} on`);
    return { counted: idle.length, broken };
  },
};
