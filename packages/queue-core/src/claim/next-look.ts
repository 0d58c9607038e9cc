import type { Engine } from '../worker/engine.js';
import type { Claimed, Round } from './send-round.js';
import { spreadPoll } from './spread-poll.js';

/** How soon the loop claims again after nothing was due; doubled every time. */
const FIRST_IDLE_MS = 2;

/**
 * When the loop looks again after a claim that was not full: when the next run becomes due, when a wake-up is received,
 * or after an interval that grows while nothing is due, up to `pollIntervalMs` ± 20 %, so that workers that started
 * together do not poll together. A wake-up that chose this worker tells of all there is, so that one claim is enough;
 * any other makes the interval short again.
 */
export class NextLook {
  #idleMs = FIRST_IDLE_MS;
  /** When the next run is due, on the process clock; null: only a claim that finds nothing can tell. */
  #dueMs: number | null = null;
  /** A claim that the alarm asked for has failed. */
  #isOwed = false;

  constructor(private readonly engine: Pick<Engine, 'alarm' | 'clock' | 'pollIntervalMs' | 'random' | 'spareLook'>) {}

  /** The claim of that round has failed: the next one looks in its place. */
  failed({ look }: Round): void {
    this.#isOwed ||= look !== null;
  }

  /**
   * Learns from a claim. Returns whether runs follow each other so closely that the next one is probably due already.
   */
  learn(round: Round, answer: Claimed): boolean {
    const isClose = answer.claimed > 0 && this.#idleMs === FIRST_IDLE_MS;
    if (round.look === 'spare' && answer.claimed > 0) this.engine.spareLook.found();
    const isEnough = this.#isEnough(round, answer);
    if (!isEnough && (answer.claimed > 0 || round.look !== null)) this.#idleMs = FIRST_IDLE_MS;
    return isClose;
  }

  /** Waits for the next look; a ring since `mark` ends it at once. */
  async sleep(mark: number): Promise<void> {
    const { alarm, clock, pollIntervalMs, random } = this.engine;
    const isWoken = await alarm.wait(mark, Math.min(spreadPoll(this.#idleMs, random()), this.#dueInMs()), clock);
    if (!isWoken) this.#idleMs = Math.min(this.#idleMs * 2, pollIntervalMs);
  }

  /**
   * Takes note of when the next run is due. Returns whether the claim has found out all that the alarm asked for, so
   * that the loop need not look again soon.
   */
  #isEnough({ look }: Round, { claimed, dueInMs, isPartial }: Claimed): boolean {
    const nowMs = this.engine.clock.monotonicMs();
    // a claim that took runs does not say when the next one is due: what was known still holds, until that moment
    const dueMs = claimed === 0 ? nowMs + dueInMs : Math.min(this.#dueMs ?? -Infinity, nowMs + dueInMs);
    this.#dueMs = claimed === 0 || dueMs > nowMs ? dueMs : null;
    const isOften = look === null || look === 'often' || this.#isOwed;
    this.#isOwed = false;
    return !isOften && !isPartial && (claimed === 0 || (look !== 'later' && this.#dueMs !== null));
  }

  #dueInMs(): number {
    return this.#dueMs === null ? Infinity : Math.max(0, this.#dueMs - this.engine.clock.monotonicMs());
  }
}
