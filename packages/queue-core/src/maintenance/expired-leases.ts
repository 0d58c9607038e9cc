import type { Clock } from '../clock.js';
import type { LostLook, TakenChores } from '../ports/upkeep.js';

/** A check that has found leases over, and from when on they may be taken, on this process's monotonic clock. */
interface Sighting {
  readonly nowMs: number;
  readonly sureMs: number;
}

/**
 * Which leases are over and stay so. Their ends are moments of the database's clock, which may step: a machine is
 * resumed, its time is set, the next server is ahead. All leases are over at once then, and their workers live.
 *
 * So a lease that a check finds over is taken a grace later, on a clock that does not step: meanwhile its worker renews
 * it, for it asks at every heartbeat how much of it is left by the database's clock. A renewed lease ends after the
 * moment at which the check was made, so that moment is all that has to be kept, however many leases are over.
 */
export class ExpiredLeases {
  #sightings: readonly Sighting[] = [];

  constructor(private readonly clock: Clock) {}

  /**
   * Takes the answer of a check that was sent at `askedMs`. Returns the moment, on the store's clock, before which a
   * lease has to be over to be taken; null: none may be taken yet.
   */
  observe(
    { hasExpired, nowMs }: Pick<LostLook, 'hasExpired'> & Pick<TakenChores, 'nowMs'>,
    askedMs: number,
    graceMs: number,
  ): number | null {
    // where the clock has gone back, a lease that is renewed may end before what it showed then
    const known = hasExpired ? this.#sightings.filter((sighting) => sighting.nowMs <= nowMs) : [];
    const sure = known.filter(({ sureMs }) => sureMs <= askedMs);
    this.#sightings = known.filter(({ sureMs }) => sureMs > askedMs);
    if (hasExpired) this.#sightings = [...this.#sightings, { nowMs, sureMs: this.clock.monotonicMs() + graceMs }];
    return sure.length === 0 ? null : Math.max(...sure.map((sighting) => sighting.nowMs));
  }

  get isEmpty(): boolean {
    return this.#sightings.length === 0;
  }
}
