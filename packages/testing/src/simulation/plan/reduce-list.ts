/**
 * Returns the items that are needed to keep `isFailing` true, found by leaving out halves, quarters and so on down to
 * single items. The whole list must fail.
 */
export async function reduceList<T>(
  items: readonly T[],
  isFailing: (kept: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let kept = items;
  for (let size = kept.length; size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < kept.length;) {
      const rest = [...kept.slice(0, from), ...kept.slice(from + size)];
      if (await isFailing(rest)) kept = rest;
      else from += size;
    }
  }
  return kept;
}
