import { appendFileSync, readFileSync } from 'node:fs';

/** A run of a job, as it was seen from outside. */
export interface WitnessedRun {
  readonly side: 'old' | 'new';
  readonly fromMs: number;
  /** null: its worker, or what it writes to, was gone by then. */
  toMs: number | null;
}

interface Line {
  readonly n: number;
  readonly side: 'old' | 'new';
  readonly is: 'begun' | 'done';
}

/** Appends a line to the file of `WITNESS`, before anything else happens. */
export function writeWitness(line: Line): void {
  appendFileSync(process.env['WITNESS']!, `${JSON.stringify({ ...line, at: Date.now() })}\n`);
}

/** The runs of each job, in the order in which they began. */
export function readWitness(file: string): ReadonlyMap<number, readonly WitnessedRun[]> {
  const runs = new Map<number, WitnessedRun[]>();
  for (const text of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const { n, side, is, at } = JSON.parse(text) as Line & { readonly at: number };
    const all = runs.get(n) ?? [];
    runs.set(n, all);
    if (is === 'begun') all.push({ side, fromMs: at, toMs: null });
    else all.findLast((run) => run.side === side && run.toMs === null)!.toMs = at;
  }
  return runs;
}
