import type { Figures } from '../../api/now-queries.js';

/** The figures of a range as columns, a place for each step. null: nobody has counted then. */
export interface Series {
  /** When each step begins, in seconds since 1970. */
  readonly at: readonly number[];
  readonly succeeded: readonly number[];
  readonly failed: readonly number[];
  readonly dead: readonly number[];
  readonly due: readonly (number | null)[];
  readonly oldestMs: readonly (number | null)[];
  readonly waitP50: readonly (number | null)[];
  readonly waitP95: readonly (number | null)[];
  readonly runP50: readonly (number | null)[];
  readonly runP95: readonly (number | null)[];
}

export interface MakeSeriesOptions {
  readonly stepMs: number;
  readonly steps: number;
  /** In milliseconds since 1970. */
  readonly now: number;
  /** Ends with the step of now, though that is not over; otherwise with the last one that all workers have written. */
  readonly isWithNow?: boolean;
}

/** Workers write a minute within twelve seconds of its end, so a step is whole that much after it. */
const WRITTEN_MS = 15_000;

/** Puts one line a step into its place. A step without a line had no work, and nobody looked how much was due. */
export function makeSeries(
  lines: readonly Figures[],
  { stepMs, steps, now, isWithNow = false }: MakeSeriesOptions,
): Series {
  const lineAt = new Map(lines.map((line) => [Date.parse(line.at), line]));
  const last = isWithNow
    ? Math.floor(now / stepMs) * stepMs
    : Math.floor((now - WRITTEN_MS) / stepMs) * stepMs - stepMs;
  const starts = Array.from({ length: steps }, (_, index) => last - (steps - 1 - index) * stepMs);
  const all = starts.map((start) => lineAt.get(start));
  return {
    at: starts.map((start) => start / 1_000),
    succeeded: all.map((line) => line?.succeeded ?? 0),
    failed: all.map((line) => line?.failed ?? 0),
    dead: all.map((line) => line?.dead ?? 0),
    due: all.map((line) => (line === undefined ? null : (line.due ?? 0))),
    oldestMs: all.map((line) => (line === undefined ? null : (line.oldestWaitingSeconds ?? 0) * 1_000)),
    waitP50: all.map((line) => line?.wait.p50Ms ?? null),
    waitP95: all.map((line) => line?.wait.p95Ms ?? null),
    runP50: all.map((line) => line?.run.p50Ms ?? null),
    runP95: all.map((line) => line?.run.p95Ms ?? null),
  };
}
