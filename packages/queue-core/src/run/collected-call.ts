import { Seat } from './call-seat.js';
import { CallSignal } from './call-signal.js';
import type { CallOutcomes, CollectedJob, CollectHandler } from './collect-handler.js';
import { OutcomeError } from './outcome-error.js';

/**
 * One call of a handler for many runs. Each run has an attempt of its own, with all that an attempt has: a payload that
 * is read, middleware, a time limit, an ending. To its attempt the handler is a *seat* of this call: the handler is
 * called when every seat is taken, or given up because the attempt has ended before.
 */
export class CollectedCall {
  readonly #seats: readonly Seat[];
  readonly #signal = new CallSignal();
  #awaited: number;

  constructor(
    private readonly handler: CollectHandler,
    private readonly by: string | null,
    count: number,
    /** Called once, when the handler has really ended, or none of the attempts came to it. */
    private readonly onEnded: () => void,
  ) {
    this.#awaited = count;
    this.#seats = Array.from(
      { length: count },
      () =>
        new Seat(
          () => this.#arrived(),
          (seat) => this.#signal.stop(seat),
        ),
    );
  }

  get seats(): readonly Seat[] {
    return this.#seats;
  }

  #arrived(): void {
    if (--this.#awaited === 0) void this.#call();
  }

  async #call(): Promise<void> {
    const seats = this.#seats.filter((seat) => seat.isGoingOn);
    const jobs = seats.map((seat) => seat.job!);
    try {
      const outcomes = jobs.length === 0 ? undefined : await this.handler(jobs, this.#signal.contextOf(seats, this.by));
      const given = readOutcomes(jobs, outcomes);
      for (const [at, seat] of seats.entries()) seat.resolve(given[at]);
    } catch (error) {
      for (const seat of seats) seat.reject(error);
    }
    this.onEnded();
  }
}

/** The outcome of each job, in their order. Throws `OutcomeError`. */
function readOutcomes(jobs: readonly CollectedJob[], outcomes: CallOutcomes): readonly unknown[] {
  if (outcomes === undefined || outcomes === null) return [];
  if (Array.isArray(outcomes)) {
    if (outcomes.length === jobs.length) return outcomes;
    throw new OutcomeError(`The handler returned ${outcomes.length} outcomes for ${jobs.length} jobs.`);
  }
  if (!(outcomes instanceof Map))
    throw new OutcomeError('The handler of many jobs returns a list of outcomes, a map of them, or nothing.');
  const known = new Set<unknown>(jobs);
  for (const job of outcomes.keys())
    if (!known.has(job)) throw new OutcomeError('A key of the map that the handler returned is none of its jobs.');
  return jobs.map((job) => outcomes.get(job));
}
