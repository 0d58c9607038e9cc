import type { Principal } from '../access/principal.js';
import { ApiError } from '../api-error.js';

/** What one principal may have waiting, and all of them. */
const MOST_WAITING_OF_ONE = 200;
const MOST_WAITING = 2_000;

type Who = Pick<Principal, 'id' | 'name'>;
interface Waiting {
  readonly who: Who;
  readonly go: () => void;
}

/**
 * Lets `most` things be done at once, and `mostOfOne` of one principal, so that one whose questions take long does not
 * keep all connections. Of those that wait whoever has the fewest in hand is next, then whoever came first.
 */
export class FairTurns {
  readonly #inHand = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #total = 0;

  constructor(
    private readonly most = 4,
    private readonly mostOfOne = 2,
  ) {}

  /**
   * Resolves with what gives the turn back; at once, and with nothing to give back, where whoever waits has left
   * (`signal`). Throws `rate_limited` and `overloaded` where too many wait.
   */
  async take(who: Who, signal?: AbortSignal): Promise<() => void> {
    if (this.#isFree(who)) return this.#begin(who);
    const others = [...this.#waiting].filter((one) => one.who.id === who.id).length;
    if (others >= MOST_WAITING_OF_ONE) throw refuse('rate_limited', `${who.name} has ${others} questions waiting.`);
    if (this.#waiting.size >= MOST_WAITING) throw refuse('overloaded', 'Too many questions wait for this server.');
    return new Promise((resolve) => {
      const waiting: Waiting = {
        who,
        go: () => {
          this.#waiting.delete(waiting);
          signal?.removeEventListener('abort', leave);
          resolve(this.#begin(who));
        },
      };
      const leave = (): void => {
        this.#waiting.delete(waiting);
        resolve(() => {});
      };
      this.#waiting.add(waiting);
      if (signal?.aborted) leave();
      else signal?.addEventListener('abort', leave, { once: true });
    });
  }

  #begin(who: Who): () => void {
    this.#change(who, 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#change(who, -1);
      this.#next()?.go();
    };
  }

  #next(): Waiting | undefined {
    return [...this.#waiting]
      .filter(({ who }) => this.#isFree(who))
      .reduce<Waiting | undefined>(
        (first, one) => (first === undefined || this.#handOf(one.who) < this.#handOf(first.who) ? one : first),
        undefined,
      );
  }

  #isFree(who: Who): boolean {
    return this.#total < this.most && this.#handOf(who) < this.mostOfOne;
  }

  #handOf({ id }: Who): number {
    return this.#inHand.get(id) ?? 0;
  }

  #change(who: Who, by: number): void {
    const inHand = this.#handOf(who) + by;
    if (inHand === 0) this.#inHand.delete(who.id);
    else this.#inHand.set(who.id, inHand);
    this.#total += by;
  }
}

function refuse(code: 'rate_limited' | 'overloaded', detail: string): ApiError {
  return new ApiError(code, `${detail} Try again in 1 s.`, { headers: { 'Retry-After': '1' } });
}
