/** As many letters may differ for one name to be meant by another. */
const MOST_WRONG = 2;

/**
 * What is wrong with the first option that nobody reads, undefined ones aside: `there is no option "maxAttemps" (do you
 * mean maxAttempts?)`. null: there is none.
 *
 * @param elsewhere what other queues call an option, and what does the same here
 */
export function tellUnknown(
  given: object,
  known: Readonly<Record<string, unknown>>,
  elsewhere: Readonly<Record<string, string>> = {},
): string | null {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || Object.hasOwn(known, name)) continue;
    const same = Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined;
    const near = Object.keys(known).find((each) => countWrong(each.toLowerCase(), name.toLowerCase()) <= MOST_WRONG);
    const hint = same !== undefined ? `: here it is ${same}` : near !== undefined ? ` (do you mean ${near}?)` : '';
    return `there is no option ${JSON.stringify(name)}${hint}`;
  }
  return null;
}

/** How many letters have to be put in, taken out or changed. */
function countWrong(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (const [at, letter] of Array.from(left).entries()) {
    const next = [at + 1];
    for (let to = 0; to < right.length; to++)
      next.push(Math.min(next[to]! + 1, row[to + 1]! + 1, row[to]! + (letter === right[to] ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
}
