const whole = new Intl.NumberFormat('en');

/** `12,480`; with a plus where there are more than were counted. */
export const formatCount = (count: number, isAtLeast = false): string =>
  `${whole.format(count)}${isAtLeast && count > 0 ? '+' : ''}`;
