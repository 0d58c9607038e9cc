/** `2026-11-23T09:30:00Z`: a moment in UTC, to the second; nothing for none. */
export const formatMoment = (moment: Date | null): string =>
  moment === null ? '' : `${moment.toISOString().slice(0, 19)}Z`;
