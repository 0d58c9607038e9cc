import { DRAIN_LIMIT_MS, RECOVERED_MS } from '../limits.js';
import type { Gauge } from '../observer/evidence.js';
import { ofKind } from '../observer/history-events.js';
import type { Check } from './check.js';
import { groupBy } from './group-by.js';
import { readWaits } from './held-runs.js';

/** After the faults every run ends. */
export const drains: Check = {
  promise: 'after the faults the queue drains to empty within 60 s',
  check({ drained: { live, tookMs, left, unknown }, jobs }) {
    const broken = live > 0 ? [`${live} runs and batches are live after ${DRAIN_LIMIT_MS / 1_000} s`, ...left] : [];
    const ends = [...groupBy(jobs, ({ status }) => status)]
      .map(([status, list]) => `${list.length} ${status}`)
      .join(', ');
    const asked = `asked about ${unknown.happened + unknown.repeated} mails, ${unknown.happened} had left`;
    return { counted: jobs.length, broken, remark: `${(tookMs / 1_000).toFixed(1)} s; ${ends}; ${asked}` };
  },
};

const LEAST_SHARE = 0.95;
const RESTORED_SHARE = 0.98;

/** With every slot busy; measured by itself, and not in the quick form. */
export const bearsLoad: Check = {
  promise:
    'with every slot busy: backends terminated twice a second cost 5 % at most; after a restart 98 % is back within 10 s',
  needs: 'a measured load',
  check({ load }) {
    if (load === null) return { counted: 0, broken: [], remark: 'not measured in this form' };
    const broken: string[] = [];
    if (load.terminated < LEAST_SHARE) broken.push(`with backends terminated ${load.terminated} × as many jobs ended`);
    const backAfter = load.restart.map(({ mode, share }) => ({
      mode,
      s: share.findIndex((one) => one >= RESTORED_SHARE),
    }));
    for (const { mode, s } of backAfter)
      if (s < 0 || s * 1_000 > RECOVERED_MS) broken.push(`after a restart (${mode}) it was not back within 10 s`);
    return {
      counted: 1 + backAfter.length,
      broken,
      remark: `terminated: ${load.terminated} ×; ${backAfter.map(({ mode, s }) => `${mode} restart: back in second ${s + 1}`).join('; ')}`,
    };
  },
};

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

/** The share of the time, at the beginning and at the end, that is compared. */
const PART = 1 / 4;
const MORE = 1.5;

interface Sample {
  readonly at: number;
  readonly value: number;
}
interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly samples: readonly Sample[];
}

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
const readMemory = ({ at, workers }: Gauge): Sample => ({
  at,
  value: median(workers.flatMap(({ rssMb }) => rssMb ?? [])),
});
const readTable = ({ at, liveMb }: Gauge): Sample[] => (liveMb === undefined ? [] : [{ at, value: liveMb }]);

/** For runs that are long enough to show growth over time. */
export const holdsSteady: Check = {
  promise: 'memory is flat, tables are bounded, latency at the end is as at the start',
  needs: 'a soak',
  check({ options, changes, gauges, begunMs, tookMs }) {
    if (!options.isSoak) return { counted: 0, broken: [], remark: 'looked at in the soak' };
    const waits = readWaits(changes.filter(({ place }) => place === 'live'));
    const figures: Figure[] = [
      { name: 'median latency', unit: 'ms', samples: waits.map(({ at, ms }) => ({ at, value: ms })) },
      { name: 'memory of the workers', unit: 'MB', samples: gauges.map(readMemory) },
      { name: 'live table with its indexes', unit: 'MB', samples: gauges.flatMap(readTable) },
    ];
    const between = (samples: readonly Sample[], from: number, to: number): number =>
      median(samples.filter(({ at }) => at >= from && at < to).map(({ value }) => value));
    const endMs = begunMs + tookMs;
    const compared = figures.map(({ name, unit, samples }) => {
      const first = between(samples, begunMs, begunMs + tookMs * PART);
      const last = between(samples, endMs - tookMs * PART, endMs);
      return { isMore: last > first * MORE, text: `${name} ${first.toFixed(1)} → ${last.toFixed(1)} ${unit}` };
    });
    return {
      counted: waits.length,
      broken: compared.filter(({ isMore }) => isMore).map(({ text }) => text),
      remark: compared.map(({ text }) => text).join('; '),
    };
  },
};
