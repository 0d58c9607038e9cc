/** When a pause ends: with somebody's resume, after a time, tomorrow morning, or at a moment of one's own. */
export const ENDS = ['open', 'quarter', 'hour', 'morning', 'own'] as const;
export type End = (typeof ENDS)[number];

const MINUTE_MS = 60_000;
const MORNING_HOUR = 9;

/** The moment of an end as ISO 8601 text, in this machine's zone where it is one of a day; null: without an end. */
export function findEnd(end: End, own: string, now: number): string | null {
  switch (end) {
    case 'open':
      return null;
    case 'quarter':
      return new Date(now + 15 * MINUTE_MS).toISOString();
    case 'hour':
      return new Date(now + 60 * MINUTE_MS).toISOString();
    case 'morning': {
      const morning = new Date(now);
      morning.setDate(morning.getDate() + 1);
      morning.setHours(MORNING_HOUR, 0, 0, 0);
      return morning.toISOString();
    }
    case 'own':
      return new Date(own).toISOString();
  }
}
