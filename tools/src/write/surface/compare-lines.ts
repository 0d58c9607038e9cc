/** The lines that only one of two texts has: `- ` those of the first, `+ ` those of the second, each in its order. */
export function compareLines(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const without = (lines: readonly string[], others: readonly string[]): string[] => {
    const left = new Map<string, number>();
    for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
    return lines.filter((line) => {
      const count = left.get(line) ?? 0;
      left.set(line, count - 1);
      return count <= 0;
    });
  };
  return [...without(old, now).map((line) => `- ${line}`), ...without(now, old).map((line) => `+ ${line}`)];
}
