import type { Clock } from '../clock.js';
import type { WorkerEvent } from '../events.js';
import type { FiguresRow } from '../ports/upkeep.js';

const MINUTE_MS = 60_000;
/** While the database is away the oldest are forgotten beyond so many. */
const MAX_ROWS = 10_000;

type Cell = { -readonly [K in keyof FiguresRow]: FiguresRow[K] extends readonly number[] ? number[] : FiguresRow[K] };

/**
 * Adds up what a worker does, by minute, queue and type, until it is written: a few additions for each event, and no
 * statement. Minutes are the store's: `nowMs`, which each write returns, tells how far its clock is from this process's.
 */
export class FiguresTally {
  #cells = new Map<string, Map<string, Cell>>();
  #full: Cell[] = [];
  /** The store's clock minus this process's; NaN: it is not known yet. */
  #offsetMs = NaN;
  /** When the minute of `#cells` ends, on this process's clock. */
  #minuteEndsMs = -Infinity;

  constructor(private readonly clock: Clock) {}

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
    }
  }

  /** What was added up since the last time. */
  take(): readonly FiguresRow[] {
    this.#close(this.clock.monotonicMs());
    return this.#full.splice(0);
  }

  /** Takes rows again that could not be written. */
  giveBack(rows: readonly FiguresRow[]): void {
    this.#full = [...(rows as Cell[]), ...this.#full].slice(-MAX_ROWS);
  }

  /** Takes note of the store's now. */
  tellNow(nowMs: number): void {
    this.#offsetMs = nowMs - this.clock.monotonicMs();
  }

  #end(how: 'succeeded' | 'failed' | 'dead' | 'snoozed' | 'cancelled', { run, ranMs }: Ended): void {
    const cell = this.#cellOf(run);
    cell[how]++;
    cell.ranMs += ranMs;
    count(cell.ran, ranMs);
  }

  #cellOf({ queue, type }: { readonly queue: string; readonly type: string }): Cell {
    const nowMs = this.clock.monotonicMs();
    if (nowMs >= this.#minuteEndsMs) this.#close(nowMs);
    let types = this.#cells.get(queue);
    if (types === undefined) this.#cells.set(queue, (types = new Map<string, Cell>()));
    let cell = types.get(type);
    if (cell === undefined)
      types.set(type, (cell = newCell(queue, type, this.#minuteEndsMs - MINUTE_MS + this.#offsetMs)));
    return cell;
  }

  /** Ends the cells of one minute, and begins those of the next. */
  #close(nowMs: number): void {
    for (const types of this.#cells.values()) for (const cell of types.values()) this.#full.push(cell);
    this.#cells = new Map();
    const intoMs = Number.isNaN(this.#offsetMs) ? 0 : (nowMs + this.#offsetMs) % MINUTE_MS;
    this.#minuteEndsMs = nowMs - intoMs + MINUTE_MS;
  }
}

type Ended = { readonly run: { readonly queue: string; readonly type: string }; readonly ranMs: number };

const newCell = (queue: string, type: string, atMs: number): Cell => ({
  atMs: Math.round(atMs),
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
  const place = 32 - Math.clz32(Math.min(ms, 0x7fffffff));
  while (counts.length <= place) counts.push(0);
  counts[place]!++;
}
