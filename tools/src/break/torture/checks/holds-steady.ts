import type { Gauge } from '../observer/evidence.js';
import type { Check } from './check.js';
import { readWaits } from './held-runs.js';

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
