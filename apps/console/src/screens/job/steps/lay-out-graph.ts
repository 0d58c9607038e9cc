import type { GraphJob } from '../../../api/use-steps.js';

export interface PlacedJob {
  readonly job: GraphJob;
  /** Both from 0 on. */
  readonly column: number;
  readonly row: number;
}

export interface GraphLayout {
  readonly placed: readonly PlacedJob[];
  /** Without those that others imply: where a comes before b and b before c, c is not said to come after a. */
  readonly edges: readonly { readonly from: PlacedJob; readonly to: PlacedJob }[];
  readonly columns: number;
  readonly rows: number;
}

/** Places each job in the column behind the last of those before it, beside what leads to it. They come before it in the list. */
export function layOutGraph(jobs: readonly GraphJob[]): GraphLayout {
  const placed = new Map<string, PlacedJob>();
  const before = new Map<string, ReadonlySet<string>>();
  const filled: boolean[][] = [];
  const edges: { from: PlacedJob; to: PlacedJob }[] = [];
  for (const job of jobs) {
    const after = job.after.flatMap((name) => placed.get(name) ?? []);
    const column = Math.max(-1, ...after.map((one) => one.column)) + 1;
    const here = (filled[column] ??= []);
    const wished = after.length === 0 ? 0 : Math.round(after.reduce((sum, one) => sum + one.row, 0) / after.length);
    const node = { job, column, row: findFree(here, wished) };
    here[node.row] = true;
    placed.set(job.name, node);
    const implied = new Set(after.flatMap((one) => [...before.get(one.job.name)!]));
    before.set(job.name, new Set([...implied, ...after.map((one) => one.job.name)]));
    edges.push(...after.filter((one) => !implied.has(one.job.name)).map((from) => ({ from, to: node })));
  }
  const rows = Math.max(0, ...[...placed.values()].map(({ row }) => row + 1));
  return { placed: [...placed.values()], edges, columns: filled.length, rows };
}

function findFree(filled: readonly boolean[], wished: number): number {
  for (let row = wished; ; row++) if (filled[row] !== true) return row;
}
