import { RECOVERED_MS } from '../limits.js';
import { ofKind } from '../observer/history-events.js';
import type { Check } from './check.js';

const WINDOW_MS = 2_000;
const STEP_MS = 100;
const SHARE = 0.98;

/** Once the database is back, as many jobs end as come in. */
export const recoversFromRestart: Check = {
  promise: 'after a database restart throughput is back at 98 % within 10 s',
  isFigure: true,
  needs: ['restart-database'],
  check({ events, changes }) {
    const ends = changes.filter(({ place, to }) => place === 'final' && to !== null);
    const endsIn = (from: number, to: number): number =>
      ends.filter(({ at }) => at >= from && at < to).length / ((to - from) / 1_000);
    const broken: string[] = [];
    const tookMs: number[] = [];
    for (const up of ofKind(events, 'database.up')) {
      const begun = ofKind(events, 'fault.begun').find(({ id }) => id === up.id);
      if (begun === undefined || up.fault !== 'restart-database') continue;
      const usual = endsIn(begun.at - 2 * WINDOW_MS, begun.at);
      let from = up.at;
      while (from < up.at + 2 * RECOVERED_MS && endsIn(from, from + WINDOW_MS) < SHARE * usual) from += STEP_MS;
      tookMs.push(from - up.at);
      if (from - up.at > RECOVERED_MS)
        broken.push(`after the restart at ${Math.round(begun.at)} it took ${((from - up.at) / 1_000).toFixed(1)} s`);
    }
    return {
      counted: tookMs.length,
      broken,
      remark: tookMs.length === 0 ? '' : `after ${(Math.max(...tookMs) / 1_000).toFixed(1)} s at the latest`,
    };
  },
};
