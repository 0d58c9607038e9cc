const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** A duration as people read it, its two largest units at most: `840 ms`, `12 s`, `3 m 20 s`, `2 d 4 h`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10_000 && ms % 1_000 !== 0) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const first = UNITS.findIndex(([, length]) => ms >= length);
  const [unit, length] = UNITS[first]!;
  const whole = `${Math.floor(ms / length)} ${unit}`;
  const next = UNITS[first + 1];
  const rest = next === undefined ? 0 : Math.floor((ms % length) / next[1]);
  return rest === 0 ? whole : `${whole} ${rest} ${next![0]}`;
}

/** The same in one unit, for columns: `840 ms`, `12 s`, `3 m`, `2 d`. */
export function formatShortDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  const [unit, length] = UNITS.find(([, length]) => ms >= length)!;
  return `${Math.floor(ms / length)} ${unit}`;
}
