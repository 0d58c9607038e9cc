import { AsyncResource } from 'node:async_hooks';
import { systemClock as clock } from '../clock.js';
import type { EmitEvent, WorkerEvent } from '../events.js';
import type { Handler, JobContext } from '../run/handler.js';
import { Waiting, type ClaimBrake } from '../claim/claim-brakes.js';
import { findSuspects, type RunningTime, type Segment, CallbackMeter } from './find-suspects.js';
import { NOT_RUNNING, type OwnedRun } from '../claim/owned-run.js';

/**
 * Watches how late the event loop is, because a handler that computes keeps everything else waiting: other handlers,
 * settlements, signals, timers. While handlers keep it late the worker claims nothing, because new runs would only wait
 * here, and the job that blocked it is reported.
 *
 * The first, synchronous part of each handler is always measured. After a block the later parts are measured as well,
 * for a minute: that slows every promise of the process, but the next block is attributed exactly.
 *
 * This uses the system clock even when the worker has another one, because its event loop turns in real time.
 */
export interface LoopWatchOptions {
  readonly worker: string;
  readonly emit: EmitEvent;
  /** The loop counts as blocked when it is later than this; Infinity: it is not watched. */
  readonly maxDelayMs: number;
  /** The processor time that this process has used. */
  readonly usedMs?: () => number;
}

type LoopBlocked = Extract<WorkerEvent, { name: 'loop.blocked' }>;

/** How many checks there are in the time of `maxDelayMs`. */
const LOOKS_PER_DELAY = 8;
const MAX_LOOK_MS = 1_000;
/** After so many checks on time the loop counts as back to normal. */
const CALM_LOOKS = 3;
const MEASURE_MS = 60_000;
const MIN_TOLD_MS = 1_000;
const KEPT_DELAYS = 256;

export class LoopWatch implements ClaimBrake {
  readonly #lookMs: number;
  readonly #usedNowMs: () => number;
  readonly #meter: CallbackMeter;
  readonly #running: OwnedRun[] = [];
  readonly #waiting = new Waiting();
  readonly #delays: number[] = [];
  /** The handlers that ended and the segments that were measured since the last check. */
  #ended: RunningTime[] = [];
  #segments: Segment[] = [];
  #lookedMs = Infinity;
  /** Time until the next check, which is long while no handler runs. */
  #waitMs = MAX_LOOK_MS;
  #usedMs = 0;
  #calmLooks = CALM_LOOKS;
  #untold: LoopBlocked | null = null;
  #toldMs = -Infinity;
  #stopTimer = (): void => {};
  /** Its timer is not in the context of the handler that sets it. */
  readonly #lookSoon = AsyncResource.bind((nowMs: number) => this.#lookAgain(nowMs, this.#lookMs));

  constructor(private readonly options: LoopWatchOptions) {
    this.#lookMs = Math.min(options.maxDelayMs / LOOKS_PER_DELAY, MAX_LOOK_MS);
    this.#usedNowMs = options.usedMs ?? processorMs;
    this.#meter = new CallbackMeter(clock, this.#lookMs, (segment) => this.#segments.push(segment));
  }

  start(): void {
    if (this.options.maxDelayMs === Infinity) return;
    this.#lookAgain(clock.monotonicMs(), this.#lookMs);
  }

  stop(): void {
    this.#stopTimer();
    this.#lookedMs = Infinity;
    this.#meter.stop();
    if (this.#untold !== null) this.options.emit(this.#untold);
    this.#waiting.letThrough();
  }

  /** Calls the handler of an attempt, and measures it. Until `forget` it counts as running. */
  call(owned: OwnedRun, handler: Handler, context: JobContext): ReturnType<Handler> {
    const { run } = owned;
    const startedMs = clock.monotonicMs();
    if (this.#waitMs > this.#lookMs && this.#lookedMs !== Infinity) this.#lookSoon(startedMs);
    owned.startedMs = startedMs;
    // a middleware may call its handler twice
    if (owned.runningAt === NOT_RUNNING) owned.runningAt = this.#running.push(owned) - 1;
    try {
      return handler(context);
    } finally {
      const ms = clock.monotonicMs() - startedMs;
      if (ms >= this.#lookMs) this.#segments.push({ run, ms });
    }
  }

  /** Its handler has ended, or was never called. */
  forget(owned: OwnedRun): void {
    const { run, startedMs, runningAt } = owned;
    if (runningAt === NOT_RUNNING) return;
    owned.runningAt = NOT_RUNNING;
    // the last run of the list moves to the free place
    const last = this.#running.pop()!;
    if (last !== owned) {
      this.#running[runningAt] = last;
      last.runningAt = runningAt;
    }
    const endedMs = clock.monotonicMs();
    if (endedMs - startedMs >= this.#lookMs) this.#ended.push({ run, startedMs, endedMs });
  }

  /** Claiming waits while handlers keep the loop late. */
  whenOff(signal: AbortSignal): Promise<void> | undefined {
    return this.#isLate() ? this.#waiting.wait(signal) : undefined;
  }

  /**
   * The delay of the loop that 99 of the last 100 checks did not exceed (99th percentile), in milliseconds; 0 before
   * the first check.
   */
  delayMs(): number {
    const sorted = [...this.#delays].sort((a, b) => a - b);
    return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
  }

  #look(): void {
    const nowMs = clock.monotonicMs();
    const delayMs = Math.max(0, nowMs - this.#lookedMs - this.#waitMs);
    this.#delays.push(delayMs);
    if (this.#delays.length > KEPT_DELAYS) this.#delays.shift();
    if (delayMs > this.options.maxDelayMs) this.#onBlock(nowMs, delayMs);
    else this.#calmLooks++;
    if (nowMs - this.#toldMs >= MIN_TOLD_MS) this.#tell(nowMs);
    if (!this.#isLate()) this.#waiting.letThrough();
    this.#lookAgain(clock.monotonicMs(), this.#running.length > 0 || this.#isLate() ? this.#lookMs : MAX_LOOK_MS);
  }

  #lookAgain(nowMs: number, waitMs: number): void {
    this.#stopTimer();
    this.#lookedMs = nowMs;
    this.#waitMs = waitMs;
    this.#usedMs = this.#usedNowMs();
    this.#ended = [];
    this.#segments = [];
    this.#stopTimer = clock.after(waitMs, () => this.#look());
  }

  #onBlock(toMs: number, blockedMs: number): void {
    const running = this.#running.map(({ run, startedMs }) => ({ run, startedMs, endedMs: toMs }));
    const isComputing = this.#usedNowMs() - this.#usedMs >= blockedMs / 2;
    const found = findSuspects(
      { fromMs: this.#lookedMs, toMs, blockedMs, isComputing },
      [...this.#ended, ...running],
      this.#segments,
    );
    this.#calmLooks = 0;
    this.#meter.startFor(MEASURE_MS);
    const block: LoopBlocked = { name: 'loop.blocked', worker: this.options.worker, blockedMs, ...found };
    if (this.#untold === null || isWorse(block, this.#untold)) this.#untold = block;
  }

  /** Emits the worst block since the last one that was emitted. */
  #tell(nowMs: number): void {
    if (this.#untold === null) return;
    this.options.emit(this.#untold);
    this.#untold = null;
    this.#toldMs = nowMs;
  }

  #isLate(): boolean {
    if (this.#running.length === 0) return false;
    // the next check itself may be late
    return (
      this.#calmLooks < CALM_LOOKS || clock.monotonicMs() - this.#lookedMs - this.#waitMs > this.options.maxDelayMs
    );
  }
}

function isWorse(block: LoopBlocked, than: LoopBlocked): boolean {
  return block.isCertain === than.isCertain ? block.blockedMs > than.blockedMs : block.isCertain;
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
