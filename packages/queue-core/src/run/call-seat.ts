import type { CollectedJob } from './collect-handler.js';
import type { Handler } from './handler.js';
import type { JobContext } from './job-context.js';
import type { Outcome } from '../settle/outcome.js';

type Given = Outcome<unknown> | void;

/** The place of one run in a call. */
export class Seat {
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
