const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** The marks of an axis of durations, in milliseconds: all in one unit, the largest in which each is another number. */
export function formatScale(marks: readonly number[]): string[] {
  const step = (marks[1] ?? 0) - (marks[0] ?? 0);
  const most = marks.at(-1) ?? 0;
  const whole = UNITS.find(([, length]) => step >= length && step % length === 0);
  const [unit, length] = whole ?? (most < 1_000 ? ['ms', 1] : ['s', 1_000]);
  return marks.map((mark) => (mark === 0 ? '0' : `${Number((mark / length).toFixed(2))} ${unit}`));
}
