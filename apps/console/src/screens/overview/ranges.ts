/** The spans that figures are shown of, and the steps that they are divided in. */
export const RANGES = {
  hour: { step: '1m', stepMs: 60_000, steps: 60, everyMs: 10_000, isWithNow: false },
  day: { step: '15m', stepMs: 900_000, steps: 96, everyMs: 30_000, isWithNow: false },
  // a day without its end is better than none of it
  quarter: { step: '1d', stepMs: 86_400_000, steps: 90, everyMs: 120_000, isWithNow: true },
} as const;

export type Range = keyof typeof RANGES;

/** The range that an address names; the last hour where it names none. */
export const readRange = (text: string | undefined): Range => (text === 'day' || text === 'quarter' ? text : 'hour');

/** How far back a range begins. */
export const spanOf = (range: Range): number => RANGES[range].stepMs * RANGES[range].steps;
