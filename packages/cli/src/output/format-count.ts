/** `20,000`, and `10,000+` where there are more than were counted. */
export const formatCount = ({ count, isAtLeast }: { readonly count: number; readonly isAtLeast: boolean }): string =>
  count.toLocaleString('en-US') + (isAtLeast ? '+' : '');
