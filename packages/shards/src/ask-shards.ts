import { setTimeout } from 'node:timers/promises';
import { describeDatabaseError } from '@duework/database';
import { DueworkError } from '@duework/sql/errors';
import type { ShardProblem } from './shards.js';

/** A shard that has not answered in time is asked again so often, at the most, until it answers. */
const ASK_AGAIN_MS = 1_000;

/** What each shard answered, in their order, and who did not. */
export interface Answers<T> {
  readonly answers: readonly { readonly shard: string; readonly answer: T }[];
  readonly problems: readonly ShardProblem[];
}

/**
 * Asks shards side by side, each with a limit of its own, so that one that hangs holds up nobody. What it was asked goes on
 * without us; until it answers it is asked once a second, so that no more of it piles up.
 */
export class AskShards {
  readonly #hangsSince = new Map<string, number>();

  constructor(
    readonly withinMs: number,
    readonly now: () => number = () => performance.now(),
  ) {}

  /** Throws what a shard refuses with (`DueworkError`), and `database_away` where none answers. */
  async ask<T>(shards: readonly string[], question: (shard: string) => Promise<T>): Promise<Answers<T>> {
    const asked = await Promise.all(shards.map((shard) => this.#askOne(shard, question)));
    const answers = asked.flatMap((one) => ('answer' in one ? [one] : []));
    const problems = asked.flatMap((one) => ('problem' in one ? [one] : []));
    const [first] = problems;
    if (answers.length === 0 && first !== undefined)
      throw new DueworkError('database_away', {
        shard: problems.map(({ shard }) => shard).join(', '),
        problem: first.message,
      });
    return { answers, problems };
  }

  async #askOne<T>(
    shard: string,
    question: (shard: string) => Promise<T>,
  ): Promise<{ readonly shard: string; readonly answer: T } | ShardProblem> {
    const hangsSince = this.#hangsSince.get(shard);
    if (hangsSince !== undefined && this.now() - hangsSince < ASK_AGAIN_MS) return this.#tooSlow(shard);
    const given = new AbortController();
    const answer = question(shard);
    const late = setTimeout(this.withinMs, undefined, { signal: given.signal }).catch(() => undefined);
    try {
      const isLate = await Promise.race([answer.then(() => false), late.then(() => !given.signal.aborted)]);
      if (!isLate) {
        this.#hangsSince.delete(shard);
        return { shard, answer: await answer };
      }
      this.#hangsSince.set(shard, this.now());
      answer.then(
        () => this.#hangsSince.delete(shard),
        () => this.#hangsSince.delete(shard),
      );
      return this.#tooSlow(shard);
    } catch (error) {
      if (DueworkError.is(error)) throw error;
      return problemOf(shard, error);
    } finally {
      given.abort();
    }
  }

  #tooSlow(shard: string): ShardProblem {
    return { shard, problem: 'too_slow', message: `It has not answered within ${this.withinMs} ms.` };
  }
}

/** What keeps a shard from answering. */
export function problemOf(shard: string, error: unknown): ShardProblem {
  const { code, message } = DueworkError.is(error) ? error : describeDatabaseError(error, undefined);
  return { shard, problem: code, message };
}
