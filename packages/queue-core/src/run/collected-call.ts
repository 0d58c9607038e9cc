import { AsyncResource } from 'node:async_hooks';
import { callApart } from './attempt-context.js';
import { Seat } from './call-seat.js';
import { CallSignal } from './call-signal.js';
import type { CallOutcomes, CollectedJob, CollectHandler } from './collect-handler.js';
import { OutcomeError } from '../settle/attempt-errors.js';
import { isOutcome } from '../settle/outcome.js';

/**
 * One call of a handler for many runs. Each run has an attempt of its own, with all that an attempt has: a payload that
 * is read, middleware, a time limit, an ending. To its attempt the handler is a *seat* of this call: the handler is
 * called when every seat is taken, or given up because the attempt has ended before.
 */
export class CollectedCall {
  readonly #seats: readonly Seat[];
  readonly #signal = new CallSignal();
  #awaited: number;
  /** Outside of the context of the attempt that arrives last. */
  readonly #begin = AsyncResource.bind(() => void this.#call());

  constructor(
    private readonly handler: CollectHandler,
    private readonly by: string | null,
    count: number,
    /** Called once, when the handler has really ended, or none of the attempts came to it. */
    private readonly onEnded: () => void,
    /** Called, with one of the jobs, where what the handler returned is no list and no map of outcomes. */
    private readonly onLeftOut: (job: CollectedJob) => void,
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
    if (--this.#awaited === 0) this.#begin();
  }

  async #call(): Promise<void> {
    const seats = this.#seats.filter((seat) => seat.isGoingOn);
    const jobs = seats.map((seat) => seat.job!);
    try {
      const given = jobs.length === 0 ? undefined : await this.#handle(seats, jobs);
      const outcomes = readOutcomes(jobs, given);
      // the work is done, whatever a library of the handler answered
      if (outcomes === null && given !== undefined && given !== null) this.onLeftOut(jobs[0]!);
      for (const [at, seat] of seats.entries()) seat.resolve(outcomes?.[at]);
    } catch (error) {
      for (const seat of seats) seat.reject(error);
    }
    this.onEnded();
  }

  async #handle(seats: readonly Seat[], jobs: readonly CollectedJob[]): Promise<CallOutcomes> {
    return callApart(jobs, () => this.handler(jobs, this.#signal.contextOf(seats, this.by)));
  }
}

/**
 * What was returned for each job, in their order; null, where that is neither a list for them nor a map of them. Throws
 * `OutcomeError` for outcomes that fit no jobs.
 */
function readOutcomes(jobs: readonly CollectedJob[], given: unknown): readonly unknown[] | null {
  if (Array.isArray(given)) {
    if (given.length === jobs.length) return given;
    if (!given.some(isOutcome)) return null;
    throw new OutcomeError(
      `The handler returned ${given.length} outcomes for ${jobs.length} jobs. Return one for each, in their order.`,
    );
  }
  if (!(given instanceof Map)) return null;
  const known = new Set<unknown>(jobs);
  for (const [job, outcome] of given)
    if (!known.has(job) && isOutcome(outcome))
      throw new OutcomeError('The Map that the handler returned has a key that is not one of its jobs.');
  return jobs.map((job) => given.get(job));
}
