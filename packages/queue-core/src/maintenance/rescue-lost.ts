import type { Engine } from '../worker/engine.js';
import type { LostLook, WhoseRuns } from '../ports/upkeep.js';
import { Absences, GRACE_MS } from './absences.js';
import { ExpiredLeases } from './expired-leases.js';

/**
 * The interval of the looks while a worker is missing: half the grace, so that the third look may confirm the first.
 */
const CONFIRM_MS = GRACE_MS / 2;
const MAX_RESCUE = 500;

type Needs = Pick<Engine, 'clock' | 'store' | 'emit' | 'name'>;

/**
 * Rescues runs whose lease has expired, and those of a worker whose session has ended, each when that has stayed so for
 * a grace, by this process's clock, which does not step. So whoever has seen something looks again himself, whose period
 * it may be, until he is sure: it does not matter who looks in between.
 *
 * A missing lock only makes the rescue come sooner: the run's row, under its own lock, decides who has the run.
 */
export class LostRescue {
  readonly #absences: Absences;
  readonly #expired: ExpiredLeases;

  constructor(private readonly engine: Needs) {
    this.#absences = new Absences(engine.clock);
    this.#expired = new ExpiredLeases(engine.clock);
  }

  /** When to look again, whoever looks besides; null: nothing was seen that is not sure. */
  get againInMs(): number | null {
    if (!this.#absences.isEmpty) return CONFIRM_MS;
    return this.#expired.isEmpty ? null : GRACE_MS;
  }

  /** A look has failed: the database may have been away, and every worker's lock with it. */
  failed(): void {
    this.#absences.forget();
  }

  /** Rescues what is surely lost after a look that was asked for at `askedMs`. */
  async rescue(look: LostLook & { readonly nowMs: number }, askedMs: number): Promise<void> {
    const { store, emit, name: worker } = this.engine;
    const expiredBeforeMs = this.#expired.observe(look, askedMs, this.#absences.graceMs);
    // this worker itself lives, whatever has become of its session
    const dead = this.#absences.observe(
      look.missing.filter((name) => name !== worker),
      askedMs,
    );
    if (dead.length > 0) {
      await this.#rescueRuns({ workers: dead });
      for (const name of await store.forgetWorkers(dead)) emit({ name: 'worker.vanished', worker, vanished: name });
    }
    if (expiredBeforeMs !== null) await this.#rescueRuns({ expiredBeforeMs });
  }

  async #rescueRuns(whose: WhoseRuns): Promise<void> {
    const { store, emit, name: worker } = this.engine;
    let rescued;
    do {
      rescued = await store.rescue(MAX_RESCUE, whose);
      for (const run of rescued) emit({ name: 'run.rescued', worker, rescued: run });
    } while (rescued.length === MAX_RESCUE);
  }
}
