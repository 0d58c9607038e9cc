import { pause, soon } from '../clock.js';
import type { Engine } from '../worker/engine.js';
import { MAX_CLAIM } from './owned-runs.js';
import { NextLook, sendRound, type Claimed, type Round } from './claim-round.js';
import { startNow } from '../run/start-runs.js';

/**
 * Rounds of claims on their way at once; a second one only where the last one left due runs behind, and nobody else
 * claims them.
 */
const MAX_ROUNDS = 2;
/** What one claim takes at most where others claim, too: as much as two that are on their way at once. */
const MAX_SHARED_CLAIM = MAX_ROUNDS * MAX_CLAIM;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 5_000;

/**
 * Claims while there is room, sleeps while nothing is due. The queues take turns in going first, so that a busy one
 * cannot starve the others. When `signal` aborts, claims on their way are still awaited: the runs they took are owned,
 * and released.
 *
 * One claim keeps one connection of the database busy. Under a backlog a second one is sent meanwhile: it passes by the
 * runs that the first has locked. Where other workers claim from the same queue, theirs keep the database busy, and a
 * second claim would have twice as many runs to pass by: there claims grow instead, up to twice as many runs, because
 * each statement and each commit costs the same however many runs share it. What is claimed ahead stays bounded by what
 * the handlers will start soon. After a failed claim the loop asks for fewer runs: the answer may have been too large.
 */
export function pollUntil(signal: AbortSignal, engine: Engine): Promise<void> {
  return new PollLoop(signal, engine).run();
}

class PollLoop {
  /** The rounds on their way, in the order in which they were sent and are awaited. */
  readonly #rounds: Round[] = [];
  #turn = 0;
  #most = MAX_CLAIM;
  #retryMs = FIRST_RETRY_MS;
  readonly #next: NextLook;
  /** The last claim was full, so it probably left due runs behind; and nobody else claims them. */
  #isAloneWithBacklog = false;

  constructor(
    private readonly signal: AbortSignal,
    private readonly engine: Engine,
  ) {
    this.#next = new NextLook(engine);
  }

  async run(): Promise<void> {
    const { owned, alarm, nextInLine } = this.engine;
    const cut = (): void => {
      nextInLine.stop();
      owned.wake();
      alarm.ring();
    };
    this.signal.addEventListener('abort', cut, { once: true });
    while (!this.signal.aborted || this.#rounds.length > 0) {
      if (await this.#send()) continue;
      const round = this.#rounds[0]!;
      try {
        const answer = await round.answer.finally(() => this.#shift());
        await this.#goOn(round, answer);
      } catch (error) {
        await this.#backOff(round, error);
      }
    }
    alarm.decline();
  }

  /**
   * Sends a round, or waits until there is room for one; false: all that is left to do is to await the rounds on their
   * way.
   */
  async #send(): Promise<boolean> {
    const { owned, brakes } = this.engine;
    if (this.signal.aborted || this.#rounds.length >= (this.#isAloneWithBacklog ? MAX_ROUNDS : 1)) return false;
    const room = Math.min(this.#room(), this.#most);
    if (this.#rounds.length > 0 && room < MAX_CLAIM) return false;
    if (room === 0) {
      this.engine.alarm.decline();
      await owned.changed();
      return true;
    }
    await brakes.whenOff(this.signal);
    if (this.signal.aborted) return true;
    owned.ask(room);
    this.#rounds.push(sendRound(room, this.#most, this.#turn++, this.signal, this.engine));
    return true;
  }

  #shift(): void {
    this.engine.owned.answered(this.#rounds.shift()!.room);
  }

  /** Starts what was claimed, and sleeps where that was less than asked for, unless the next round is on its way. */
  async #goOn(round: Round, answer: Claimed): Promise<void> {
    this.#setPace(answer);
    const isFull = answer.claimed >= round.room;
    this.engine.nextInLine.learn(round.sentMs, !isFull && !answer.isPartial);
    if (isFull && this.#room() > 0) startSoon(this.signal, this.engine);
    else this.#startNow();
    // there may be a run for each wake-up beyond those that were claimed
    if (isFull) for (const decline of round.decliners.slice(answer.claimed)) decline();
    const isClose = this.#next.learn(round, answer);
    if (!isFull && !isClose && this.#rounds.length === 0) await this.#next.sleep(round.mark);
  }

  /** How much the next claims ask for, and how many are on their way. */
  #setPace({ claimed, isShared }: Claimed): void {
    this.engine.report.succeeded('claim');
    this.#retryMs = FIRST_RETRY_MS;
    this.#most = Math.min(Math.ceil(this.#most * 1.1), isShared ? MAX_SHARED_CLAIM : MAX_CLAIM);
    this.#isAloneWithBacklog = claimed >= MAX_CLAIM && !isShared;
  }

  async #backOff(round: Round, error: unknown): Promise<void> {
    this.#next.failed(round);
    this.engine.nextInLine.learn(round.sentMs, false);
    const { report, clock, random } = this.engine;
    this.#isAloneWithBacklog = false;
    this.#most = Math.ceil(round.room / 2);
    report.failed('claim', error);
    // starts the runs that other queues gave before the failure: each would wait for room that only its own end makes
    this.#startNow();
    await pause(clock, this.#retryMs * (0.5 + random()), this.signal);
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS);
  }

  /** How many runs there is room for, beside those that others on their way have asked for. */
  #room(): number {
    const { owned } = this.engine;
    return owned.room(owned.asked, Math.max(this.#most, MAX_CLAIM));
  }

  #startNow(): void {
    if (!this.signal.aborted) startNow(this.engine);
  }
}

/** Starts runs after the next claim has been sent, so that the database works on that claim while the handlers run. */
function startSoon(signal: AbortSignal, engine: Engine): void {
  soon(engine.clock, () => {
    if (!signal.aborted) startNow(engine);
  });
}
