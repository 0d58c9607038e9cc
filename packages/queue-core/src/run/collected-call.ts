import { AsyncResource } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';
import { callApart } from './attempt.js';
import type { CallOutcomes, CollectedJob, CollectHandler, Handler, JobContext, CallContext } from './handler.js';
import { OutcomeError } from '../settle/attempt-errors.js';
import type { Outcome } from '../settle/outcome.js';
import { isOutcome } from '../settle/attempt-end.js';

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

type Given = Outcome<unknown> | void;

/** The place of one run in a call. */
class Seat {
  /** null: its attempt has not come to the handler, or never will. */
  job: CollectedJob | null = null;
  resolve: (outcome: unknown) => void = () => {};
  reject: (error: unknown) => void = () => {};
  #outcome: Promise<Given> | null = null;
  #isOver = false;

  constructor(
    private readonly onArrived: () => void,
    private readonly onOver: (seat: Seat) => void,
  ) {}

  /** Its attempt waits for the call. */
  get isGoingOn(): boolean {
    return this.job !== null && !this.#isOver;
  }

  /** What the attempt calls as its handler. A middleware may call it twice: the second time it gets the same outcome. */
  readonly take: Handler = (context) => {
    if (this.#outcome !== null) return this.#outcome;
    if (this.#isOver) throw new Error('This attempt has ended before its call could begin.');
    this.#outcome = new Promise<Given>((resolve, reject) => {
      this.resolve = resolve as (outcome: unknown) => void;
      this.reject = reject;
    });
    this.job = this.#toJob(context);
    this.onArrived();
    return this.#outcome as ReturnType<Handler>;
  };

  /** The attempt is over, whether it came to the handler or not. */
  leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.onOver(this);
    if (this.job === null) this.onArrived();
  }

  /** Adds to the context in place, because its signal is made only when it is read. */
  #toJob(context: JobContext): CollectedJob {
    return Object.assign(context, { settle: (outcome: Given) => this.resolve(outcome) });
  }
}

/** The signal of a call: it aborts when none of its attempts may go on. It is made when a handler reads it. */
class CallSignal {
  #controller: AbortController | null = null;
  readonly #going = new Set<Seat>();
  /** Why the last of the attempts was aborted; undefined: none was. */
  #reason: unknown = undefined;

  contextOf(seats: readonly Seat[], by: string | null): CallContext {
    const read = (): AbortSignal => this.#read(seats);
    return {
      by,
      get signal() {
        return read();
      },
    };
  }

  /** The attempt is over, or was aborted. */
  stop(seat: Seat): void {
    this.#going.delete(seat);
    if (this.#going.size === 0 && this.#reason !== undefined) this.#controller?.abort(this.#reason);
  }

  #read(seats: readonly Seat[]): AbortSignal {
    if (this.#controller !== null) return this.#controller.signal;
    this.#controller = new AbortController();
    setMaxListeners(0, this.#controller.signal);
    const going = seats.filter((seat) => seat.isGoingOn);
    for (const seat of going) this.#going.add(seat);
    for (const seat of going) this.#follow(seat, seat.job!.signal);
    return this.#controller.signal;
  }

  #follow(seat: Seat, signal: AbortSignal): void {
    const abort = (): void => {
      this.#reason = signal.reason;
      this.stop(seat);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  }
}
