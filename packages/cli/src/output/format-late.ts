/** `3 s`, `2 min`, `5 h`: how late something was; nothing under a second. */
export function formatLate(ms: number): string {
  if (ms < 1_000) return '';
  if (ms < 120_000) return `${Math.round(ms / 1_000)} s`;
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`;
  return `${Math.round(ms / 3_600_000)} h`;
}
