import { RECOVERED_MS } from '../limits.mjs';

const WINDOW_MS = 2_000;
const SHARE = 0.98;

/** After the database is there again, as much ends as comes in. */
export const recoversFromRestart = {
  promise: 'after a database restart throughput is back at 98 % within 10 s',
  isFigure: true,
  check({ events, changes }) {
    const ends = changes.filter(({ place, to }) => place === 'final' && to !== null);
    const endsIn = (from, to) => ends.filter(({ at }) => at >= from && at < to).length / ((to - from) / 1_000);
    const broken = [];
    const tookMs = [];
    for (const up of events.filter(({ kind, fault }) => kind === 'database.up' && fault === 'restart-database')) {
      const begun = events.find(({ kind, id }) => kind === 'fault.begun' && id === up.id);
      const usual = endsIn(begun.at - 2 * WINDOW_MS, begun.at);
      let from = up.at;
      while (from < up.at + 2 * RECOVERED_MS && endsIn(from, from + WINDOW_MS) < SHARE * usual) from += 100;
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
