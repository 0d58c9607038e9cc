/**
 * How many lines somebody wrote: those of `after` that `before` has not, in whatever order, without the empty ones.
 *
 * @param before empty for a new file
 */
export function countWrittenLines(before: string, after: string): number {
  const there = linesOf(before);
  let written = 0;
  for (const line of linesOf(after)) {
    const at = there.indexOf(line);
    if (at === -1) written++;
    else there.splice(at, 1);
  }
  return written;
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');
