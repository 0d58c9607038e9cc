export type FiguresTable = 'minutes' | 'hours' | 'days';

/** The lines of a table from one moment on, and before another; null: to the newest. In milliseconds since 1970. */
export interface FiguresPart {
  readonly table: FiguresTable;
  readonly fromMs: number;
  readonly beforeMs: number | null;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MINUTES_KEPT_MS = 25 * HOUR_MS;

const next = (ms: number, unitMs: number): number => Math.ceil(ms / unitMs) * unitMs;

/**
 * Where to read what is known since a moment. Hours and days are exact at once, so lines of minutes are needed only up to
 * the first whole hour, and those of hours up to the first whole day (UTC): 60 + 24 + 90 of each queue and type at most.
 * Steps shorter than a day are read as they are. What is older than minutes are kept begins with a whole hour.
 *
 * @param stepMs null: all of it is one step
 */
export function planParts(sinceMs: number, nowMs: number, stepMs: number | null): readonly FiguresPart[] {
  if (stepMs !== null && stepMs < DAY_MS)
    return [{ table: stepMs < HOUR_MS ? 'minutes' : 'hours', fromMs: sinceMs, beforeMs: null }];
  const hasMinutes = stepMs === null && nowMs - sinceMs <= MINUTES_KEPT_MS;
  const hourMs = next(sinceMs, HOUR_MS);
  const dayMs = next(hourMs, DAY_MS);
  const parts: FiguresPart[] = [
    { table: 'minutes', fromMs: hasMinutes ? sinceMs : hourMs, beforeMs: hourMs },
    { table: 'hours', fromMs: hourMs, beforeMs: dayMs },
    { table: 'days', fromMs: dayMs, beforeMs: null },
  ];
  return parts.filter(({ fromMs, beforeMs }) => fromMs <= nowMs && (beforeMs === null || fromMs < beforeMs));
}
