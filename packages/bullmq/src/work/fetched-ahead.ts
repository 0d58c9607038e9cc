import type { Queues } from '../redis/queues.js';
import { giveBack, type FetchedJob } from './fetch-jobs.js';

/** Shorter than a job may stay fetched; longer than a busy worker is between two claims. */
const KEPT_MS = 500;
/** Where fewer end at once the handlers are slow, and their worker claims as soon as one ends, without what comes then. */
const WORTH_FETCHING = 8;

interface Kept {
  readonly job: FetchedJob;
  readonly untilMs: number;
}

/**
 * Jobs that BullMQ has fetched in the script of a completion, as its own workers do: under a backlog a job costs a script
 * less. They are the next claim's; where none comes soon they go back to where they stood, uncharged.
 */
export class FetchedAhead {
  readonly #kept = new Map<string, Kept[]>();
  /** By queue: how many more the next claim may ask for. */
  readonly #wanted = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(private readonly queues: Queues) {}

  /** A claim of so many has found more than it could take, or not. */
  learn(queue: string, limit: number, isFull: boolean): void {
    this.#wanted.set(queue, isFull ? limit : 0);
  }

  /** Whether one of `ending` completions in this queue is to fetch a job. */
  wants(queue: string, ending: number): boolean {
    const wanted = this.#wanted.get(queue) ?? 0;
    if (ending < WORTH_FETCHING || wanted === 0) return false;
    this.#wanted.set(queue, wanted - 1);
    return true;
  }

  /** What a completion has fetched under its own token, if anything. */
  put(queue: string, jobs: readonly FetchedJob[]): void {
    const untilMs = performance.now() + KEPT_MS;
    const kept = jobs.map((job) => ({ job, untilMs }));
    if (kept.length === 0) return;
    const before = this.#kept.get(queue);
    if (before === undefined) this.#kept.set(queue, kept);
    else before.push(...kept);
    this.#watch();
  }

  take(queue: string, limit: number): FetchedJob[] {
    return (this.#kept.get(queue) ?? []).splice(0, limit).map(({ job }) => job);
  }

  /** Gives back what no claim has taken until that moment; all of it, unless a moment is given. */
  async giveBack(untilMs = Infinity): Promise<void> {
    clearTimeout(this.#timer ?? undefined);
    this.#timer = null;
    const givenBack: Promise<void>[] = [];
    for (const [queue, kept] of this.#kept) {
      // in the order in which they were fetched
      const young = kept.findIndex((one) => one.untilMs > untilMs);
      const over = kept.splice(0, young === -1 ? kept.length : young).map(({ job }) => job);
      givenBack.push(giveBack(this.queues, queue, over, false));
      if (kept.length > 0) this.#watch();
    }
    await Promise.all(givenBack);
  }

  #watch(): void {
    // where Redis is away BullMQ gives them back, once their locks have ended
    this.#timer ??= setTimeout(() => void this.giveBack(performance.now()).catch(() => {}), KEPT_MS).unref();
  }
}
