/** Names for a sentence, which nobody reads to its end where there are many: `a, b, c`, or `a, b, c and 18 more`. */
export function nameSome(names: readonly string[], most = 4): string {
  if (names.length <= most) return names.join(', ');
  const told = names.slice(0, most - 1);
  return `${told.join(', ')} and ${names.length - told.length} more`;
}
