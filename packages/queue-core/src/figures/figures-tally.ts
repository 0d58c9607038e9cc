import type { WorkerEvent } from '../events.js';
import type { FiguresRow } from '../ports/upkeep.js';

/** While the database is away the oldest are forgotten beyond so many. */
const MAX_ROWS = 10_000;

type Cell = { -readonly [K in keyof FiguresRow]: FiguresRow[K] extends readonly number[] ? number[] : FiguresRow[K] };
type Place = { readonly queue: string; readonly type: string };
type Ended = { readonly run: Place; readonly ranMs: number };

/**
 * Adds up what a worker does, by queue and type, until its minute is over: a few additions for each event, without a
 * statement, and without a look at the clock, which would cost as much as all of them.
 */
export class FiguresTally {
  readonly #cells = new Map<string, Map<string, Cell>>();
  /** Runs of one type mostly follow each other. */
  #last = newCell({ queue: '', type: '' });
  #over: Cell[] = [];
  /** Nothing happened before what is counted now. */
  #wasQuiet = true;

  note(event: WorkerEvent): void {
    switch (event.name) {
      case 'job.claimed': {
        const cell = this.#cellOf(event.run);
        cell.claimed++;
        cell.waitedMs += event.run.waitedMs;
        return count(cell.waited, event.run.waitedMs);
      }
      case 'job.succeeded':
        return this.#end('succeeded', event);
      case 'job.failed':
        return this.#end('failed', event);
      case 'job.dead':
        return this.#end('dead', event);
      case 'job.snoozed':
        return this.#end('snoozed', event);
      case 'job.cancelled':
        return this.#end('cancelled', event);
      default:
      // what else a worker tells is no part of a figure
    }
  }

  /**
   * Ends the minute that began at `atMs`, or a part of it, on the store's clock; null: that is not known, and it is the one of
   * the write.
   */
  endMinute(atMs: number | null): void {
    this.#wasQuiet = this.#cells.size === 0;
    for (const types of this.#cells.values()) for (const cell of types.values()) this.#over.push({ ...cell, atMs });
    this.#cells.clear();
    this.#last = newCell({ queue: '', type: '' });
  }

  /** Something is counted that nobody should wait a minute for: a failure, or the first work after a pause. */
  get hasNews(): boolean {
    if (this.#wasQuiet) return this.#cells.size > 0;
    return [...this.#cells.values()].some((types) => [...types.values()].some(({ failed, dead }) => failed + dead > 0));
  }

  /** The minutes that are over, and were not taken yet. */
  take(): readonly FiguresRow[] {
    return this.#over.splice(0);
  }

  /** Takes rows again that could not be written. */
  giveBack(rows: readonly FiguresRow[]): void {
    this.#over = [...(rows as Cell[]), ...this.#over].slice(-MAX_ROWS);
  }

  #end(how: 'succeeded' | 'failed' | 'dead' | 'snoozed' | 'cancelled', { run, ranMs }: Ended): void {
    const cell = this.#cellOf(run);
    cell[how]++;
    cell.ranMs += ranMs;
    count(cell.ran, ranMs);
  }

  #cellOf({ queue, type }: Place): Cell {
    if (this.#last.type === type && this.#last.queue === queue) return this.#last;
    let types = this.#cells.get(queue);
    if (types === undefined) this.#cells.set(queue, (types = new Map<string, Cell>()));
    let cell = types.get(type);
    if (cell === undefined) types.set(type, (cell = newCell({ queue, type })));
    return (this.#last = cell);
  }
}

const newCell = ({ queue, type }: Place): Cell => ({
  atMs: null,
  queue,
  type,
  claimed: 0,
  succeeded: 0,
  failed: 0,
  dead: 0,
  cancelled: 0,
  snoozed: 0,
  waited: [],
  ran: [],
  waitedMs: 0,
  ranMs: 0,
});

/** Counts a time in its place: 0 for less than a millisecond, then one place for each doubling. */
function count(counts: number[], ms: number): void {
  const place = 32 - Math.clz32(ms < 0x7fffffff ? ms : 0x7fffffff);
  while (counts.length <= place) counts.push(0);
  counts[place]!++;
}
