import Table from 'cli-table3';

/** A promise that was judged at the end of a torture of shards, or of the dedicated queue. */
export interface Verdict {
  readonly promise: string;
  readonly judged: number;
  /** What breaks it. */
  readonly broken: readonly string[];
}

const EXAMPLES = 5;

/** Prints each promise, and a few examples of what broke it; returns whether any was broken. */
export function printVerdicts(title: string, verdicts: readonly Verdict[]): boolean {
  const table = new Table({ head: [title, 'judged', 'broken'], style: { head: [], border: [] } });
  for (const { promise, judged, broken } of verdicts) table.push([promise, judged, broken.length]);
  process.stdout.write(`${table.toString()}\n`);
  const wrong = verdicts.filter(({ broken }) => broken.length > 0);
  for (const { promise, broken } of wrong)
    process.stdout.write(`${promise}: not ${broken.slice(0, EXAMPLES).join('; ')}\n`);
  return wrong.length > 0;
}
