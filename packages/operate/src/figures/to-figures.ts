import { percentile } from './percentile.js';
import type { Figures, Times } from './figures.js';
import type { FiguresLine } from './sql/find-figures.js';

export function toFigures({ atMs, waited, ran, waitedMs, ranMs, oldestSeconds, ...same }: FiguresLine): Figures {
  return {
    ...same,
    at: new Date(atMs),
    wait: timesOf(waited, waitedMs),
    run: timesOf(ran, ranMs),
    oldestWaitingSeconds: oldestSeconds,
  };
}

function timesOf(counts: readonly number[], sumMs: number): Times {
  const count = counts.reduce((sum, n) => sum + n, 0);
  return {
    count,
    meanMs: count === 0 ? null : Math.round((sumMs / count) * 10) / 10,
    p50Ms: percentile(counts, 0.5),
    p95Ms: percentile(counts, 0.95),
  };
}
