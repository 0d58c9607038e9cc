const whole = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** `12,480`; with a plus where there are more than were counted. */
export const formatCount = (count: number, isAtLeast = false): string =>
  `${whole.format(count)}${isAtLeast && count > 0 ? '+' : ''}`;

/** `12.5K`, for axes. */
export const formatCompact = (count: number): string => compact.format(count);
