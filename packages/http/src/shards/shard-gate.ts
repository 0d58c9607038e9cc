import { systemClock } from '@duework/queue-core';
import { readMonotonicMs } from '../clock.js';
import { within } from '../within.js';

/** Why the part of a shard is missing. */
export type ShardProblem = 'database_away' | 'too_slow' | 'failed';

/** That a shard does not answer, and since when. */
export interface ShardAway {
  readonly problem: ShardProblem;
  readonly since: Date;
}

/** A look that has no answer by then has failed. */
const LOOK_MS = 1_000;
/** A shard that does not answer is looked at so often, while requests ask for it. */
const LOOK_EVERY_MS = 1_000;
/** What is known of it counts for so long; whoever asks later waits for a new look. */
const KNOWN_FOR_MS = 2_000;
/** Looks without an answer, each of which holds a connection. */
const MAX_LOOKS = 3;
/** Requests that were given up and are not over: more are not begun. */
const MAX_GIVEN_UP = 20;
/** What is not over by then counts no more: a connection to a machine that is gone may hang for a quarter of an hour. */
const LOOK_FORGOTTEN_MS = 10_000;
const GIVEN_UP_FORGOTTEN_MS = 60_000;

/**
 * What stands before one shard, so that one which hangs costs the others nothing: a request is given up after its limit,
 * those that were given up are bounded, and a shard that does not answer a look is not asked, but looked at once a second,
 * until it answers again. A request that is slow by itself does not close its shard: the look decides.
 */
export class ShardGate {
  #away: ShardAway | null = null;
  #lookedMs = -Infinity;
  #knownMs = -Infinity;
  #looks = 0;
  #looking: Promise<boolean> | null = null;
  #givenUp = 0;
  readonly #followers = new Set<(away: ShardAway | null) => void>();
  #timer: NodeJS.Timeout | undefined;

  /** `look` asks the database for as little as there is; `onChange` is told when it does not answer, and when it does again. */
  constructor(
    private readonly look: () => Promise<unknown>,
    private readonly onChange: (away: ShardAway | null) => void = () => {},
  ) {}

  /** null: it answers. */
  get away(): ShardAway | null {
    return this.#away;
  }

  /** A request was given up, or refused, and whether the database answers is not known yet. */
  get isInDoubt(): boolean {
    return this.#looking !== null;
  }

  /**
   * Tells when it does not answer, and when it does again, without being asked: while somebody follows, it is looked at once
   * a second. Returns what ends that.
   */
  follow(listener: (away: ShardAway | null) => void): () => void {
    this.#followers.add(listener);
    this.#timer ??= setInterval(() => {
      if (this.#looks < MAX_LOOKS) void this.#lookAgain();
    }, LOOK_EVERY_MS);
    return () => {
      this.#followers.delete(listener);
      if (this.#followers.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  /** Whether it answers now: by what is known, or by a new look. */
  async isUp(): Promise<boolean> {
    if (this.#away === null) return true;
    const nowMs = readMonotonicMs();
    if (nowMs - this.#lookedMs >= LOOK_EVERY_MS && this.#looks < MAX_LOOKS) void this.#lookAgain();
    if (nowMs - this.#knownMs > KNOWN_FOR_MS && this.#looking !== null) await this.#looking;
    return this.#away === null;
  }

  /**
   * What `work` answers, or why there is no answer. `limitMs` null: it may take as long as it takes, while the shard
   * answers looks.
   */
  async ask<T>(work: () => Promise<T>, limitMs: number | null): Promise<{ readonly answer: T } | ShardProblem> {
    if (!(await this.isUp())) return this.#away?.problem ?? 'too_slow';
    if (this.#givenUp >= MAX_GIVEN_UP) return 'too_slow';
    const pending = work().then((answer) => ({ answer }));
    for (;;) {
      const answered = await first(pending, limitMs ?? LOOK_MS);
      if (answered !== null) return answered;
      // nobody waits for the look where the time of the request is over
      const isUp = limitMs === null ? await this.#isStillUp() : (void this.#lookAgain(), false);
      if (isUp) continue;
      this.#givenUp++;
      whenOver(pending, GIVEN_UP_FORGOTTEN_MS, () => this.#givenUp--);
      return this.#away?.problem ?? 'too_slow';
    }
  }

  /** Whether it answers: those that wait for a long time together look once a second. */
  async #isStillUp(): Promise<boolean> {
    const isKnown = this.#away === null && readMonotonicMs() - this.#knownMs < LOOK_EVERY_MS;
    return isKnown || this.#lookAgain();
  }

  /** Looks whether it answers; false: it does not. Whoever asks meanwhile gets the same look. */
  #lookAgain(): Promise<boolean> {
    return (this.#looking ??= this.#lookNow().finally(() => (this.#looking = null)));
  }

  /** Told by a request that was refused because the database is away. */
  async suspect(): Promise<void> {
    await this.#lookAgain();
  }

  async #lookNow(): Promise<boolean> {
    this.#lookedMs = readMonotonicMs();
    this.#looks++;
    const pending = this.look();
    // also when it comes late
    pending.then(
      () => this.#note(null),
      () => {},
    );
    whenOver(pending, LOOK_FORGOTTEN_MS, () => this.#looks--);
    let isOver = false;
    try {
      await within(
        LOOK_MS,
        pending.catch((error: unknown) => ((isOver = true), Promise.reject(error as Error))),
      );
      return true;
    } catch {
      this.#note(isOver ? 'database_away' : 'too_slow');
      return false;
    }
  }

  #note(problem: ShardProblem | null): void {
    this.#knownMs = readMonotonicMs();
    const before = this.#away;
    this.#away = problem === null ? null : { problem, since: before?.since ?? systemClock.now() };
    if ((before === null) === (this.#away === null)) return;
    this.onChange(this.#away);
    for (const listener of [...this.#followers]) listener(this.#away);
  }
}

/** What a promise resolves with; null: not within `ms`. */
async function first<T extends object>(pending: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([pending, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Calls back once, when a promise has settled or after `ms`. */
function whenOver(pending: Promise<unknown>, ms: number, callback: () => void): void {
  let isOver = false;
  const end = (): void => {
    clearTimeout(timer);
    if (!isOver) callback();
    isOver = true;
  };
  const timer = setTimeout(end, ms);
  timer.unref();
  pending.then(end, end);
}
