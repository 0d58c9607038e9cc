import { ApiError } from '../api-error.js';
import type { Principal } from './principal.js';

/** One principal may hold this part of it. */
const PART_OF_ONE = 1 / 4;
const RETRY_SECONDS = 1;

/** What a request without credentials holds belongs to nobody, and all of them share one part. */
const NOBODY: Pick<Principal, 'id' | 'name'> = { id: '', name: 'Requests without credentials' };

/**
 * Bounds what requests hold of this process at once, all together and each principal: one that takes its whole part
 * leaves the rest to the others. Whoever holds nothing may always take one thing, however large, if nobody else does.
 */
export class Share {
  #held = 0;
  readonly #heldBy = new Map<string, number>();

  /** `most` counts `unit`, such as "streams"; `onChange` is told how much is held. */
  constructor(
    private readonly most: number,
    private readonly unit: string,
    private readonly onChange: (held: number) => void = () => {},
  ) {}

  /**
   * Takes an amount and returns what gives it back, which may be called more than once. Throws `rate_limited` where the
   * principal would hold more than its part, and `overloaded` where all would hold more than there is.
   */
  take({ id, name }: Pick<Principal, 'id' | 'name'> = NOBODY, amount = 1): () => void {
    const mine = this.#heldBy.get(id) ?? 0;
    const part = Math.ceil(this.most * PART_OF_ONE);
    if (mine > 0 && mine + amount > part)
      throw refuse('rate_limited', `${name} may hold ${part} ${this.unit} of this server at once, and holds ${mine}.`);
    if (this.#held > 0 && this.#held + amount > this.most)
      throw refuse('overloaded', `This server has ${this.#held} of at most ${this.most} ${this.unit} in hand.`);
    this.#change(id, amount);
    let isHeld = true;
    return () => {
      if (isHeld) this.#change(id, -amount);
      isHeld = false;
    };
  }

  #change(id: string, amount: number): void {
    const mine = (this.#heldBy.get(id) ?? 0) + amount;
    if (mine === 0) this.#heldBy.delete(id);
    else this.#heldBy.set(id, mine);
    this.#held += amount;
    this.onChange(this.#held);
  }
}

function refuse(code: 'rate_limited' | 'overloaded', detail: string): ApiError {
  return new ApiError(code, `${detail} Try again in ${RETRY_SECONDS} s.`, {
    headers: { 'Retry-After': String(RETRY_SECONDS) },
  });
}
