import { AsyncResource } from 'node:async_hooks';
import { pause, type Clock } from '../clock.js';
import type { Store } from '../ports/store.js';
import type { FailureReport } from '../report-failures.js';

/** How soon a batch is looked at again that another transaction was at: soon at first, then every second. */
const FIRST_AGAIN_MS = 20;
const LAST_AGAIN_MS = 1_000;

/**
 * Has the batches added up of which this worker has ended jobs: one statement at a time, for all that have come meanwhile.
 * What it cannot do, because the database is away or the worker stops, the next look of any worker's maintenance does.
 */
export class BatchWatch {
  #noted = new Set<string>();
  #adding: Promise<void> | null = null;
  /** Outside of the context of whoever begins it, because it goes on for others. */
  readonly #begin = AsyncResource.bind(() => this.#addUp());

  constructor(
    private readonly store: Pick<Store, 'addUpBatches'>,
    private readonly clock: Clock,
    private readonly report: FailureReport,
  ) {}

  /** A job of this batch has ended, and that is written. */
  note(batch: string): void {
    this.#noted.add(batch);
    this.#adding ??= this.#begin();
  }

  /** Resolves once it is done with what was noted, or has left it to others. */
  async idle(): Promise<void> {
    await this.#adding;
  }

  async #addUp(): Promise<void> {
    // let the ends of this turn of the event loop gather
    await new Promise<void>((resolve) => process.nextTick(resolve));
    let againMs = FIRST_AGAIN_MS;
    try {
      while (this.#noted.size > 0) {
        const batches = [...this.#noted];
        this.#noted = new Set();
        const busy = await this.store.addUpBatches(batches);
        this.report.succeeded('batches');
        if (busy.length === 0) continue;
        await pause(this.clock, againMs);
        againMs = Math.min(2 * againMs, LAST_AGAIN_MS);
        for (const batch of busy) this.#noted.add(batch);
      }
    } catch (error) {
      this.report.failed('batches', error);
    } finally {
      // here and not later, or what is noted in between would begin nothing
      this.#adding = null;
    }
  }
}
