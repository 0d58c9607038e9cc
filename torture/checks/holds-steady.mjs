import { readWaits } from './held-runs.mjs';

/** Of the time, at the beginning and at the end, are compared. */
const PART = 1 / 4;
const MORE = 1.5;

const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;

/** For runs that are long enough to show it: what grows with time would have grown. */
export const holdsSteady = {
  promise: 'memory is flat, tables are bounded, latency at the end is as at the start',
  check({ options, changes, gauges, begunMs, tookMs }) {
    if (!options.isSoak) return { counted: 0, broken: [], remark: 'looked at in the soak' };
    const isFirst = ({ at }) => at >= begunMs && at < begunMs + tookMs * PART;
    const isLast = ({ at }) => at >= begunMs + tookMs * (1 - PART) && at < begunMs + tookMs;
    const waits = readWaits(changes.filter(({ place }) => place === 'live'));
    const figures = [
      ['median latency', 'ms', waits, ({ ms }) => ms],
      ['memory of the workers', 'MB', gauges, ({ workers }) => median(workers.map(({ rssMb }) => rssMb))],
      [
        'live table with its indexes',
        'MB',
        gauges.filter(({ liveMb }) => liveMb !== undefined),
        ({ liveMb }) => liveMb,
      ],
    ].map(([name, unit, list, read]) => ({
      name,
      unit,
      first: median(list.filter(isFirst).map(read)),
      last: median(list.filter(isLast).map(read)),
    }));
    const tell = ({ name, unit, first, last }) => `${name} ${first.toFixed(1)} → ${last.toFixed(1)} ${unit}`;
    return {
      counted: waits.length,
      broken: figures.filter(({ first, last }) => last > first * MORE).map(tell),
      remark: figures.map(tell).join('; '),
    };
  },
};
