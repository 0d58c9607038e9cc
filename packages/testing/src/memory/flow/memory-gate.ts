import { Heap, type Placed } from '../tables/heap.js';
import type { MemoryRun } from '../tables/memory-run.js';
import type { MemoryRule, MemoryRules } from './memory-rules.js';

/** Whether a run is live, and whether it is dead and nobody has looked at it. */
export interface Whereabouts {
  isLive(run: MemoryRun): boolean;
  isUnseenDead(run: MemoryRun): boolean;
}

/** A key that a closed gate opens little by little: one more in each tenth of the time that it was shut. */
const STEPS = 10;
/** How soon a gate is looked at again that is about to open. */
const SOON_MS = 10;
const TURN_MS = 200;

/** One key at which runs stand in line: who waits there, who has room there, and what it remembers. */
export class MemoryGate implements Placed {
  /** In the heap of gates that are looked at. */
  place = -1;
  readonly kind: string;
  readonly line: Heap<MemoryRun>;
  /** Those that were let in, and how much they take. Whether they still do is looked up whenever somebody asks. */
  readonly #holders = new Map<MemoryRun, number>();
  readonly #ruleName: string;
  /** Of a rate: the moment up to which its units are used up (GCRA). */
  #nextAtMs = -Infinity;
  /** Nothing is let in before; and for how long it was shut. */
  #closedUntilMs = -Infinity;
  #closedMs = 0;
  /** Of a breaker: the last attempts, oldest first, true for a failure; and whether it tries one run at a time. */
  #recent: boolean[] = [];
  isTrying = false;

  constructor(
    readonly key: string,
    private readonly rules: MemoryRules,
    private readonly where: Whereabouts,
  ) {
    const [kind, name] = key.split('/', 2);
    this.kind = kind!;
    this.#ruleName = `${kind}/${name}`;
    this.line = new Heap(kind === 'order' ? isNumberedBefore : isBefore);
  }

  get #rule(): MemoryRule {
    return this.rules.of(this.#ruleName);
  }

  holds(run: MemoryRun): boolean {
    return this.#holders.has(run) && this.#isHolding(run);
  }

  /** What a run takes; one that needs more than there is at all runs alone. */
  unitOf(run: MemoryRun): number {
    const { maxUnits, rate } = this.#rule;
    const unit = run.gateUnits?.[run.gates!.indexOf(this.key)] ?? 1;
    return Math.max(1, Math.min(unit, maxUnits, rate?.burst ?? Infinity));
  }

  /** How many units more may start now. */
  free(nowMs: number): number {
    if (this.#closedUntilMs > nowMs) return 0;
    const { rate, maxUnits } = this.#rule;
    if (this.isTrying || this.kind === 'order') return 1 - this.#used();
    if (rate !== null) return Math.floor(1e-6 + rate.burst - Math.max(0, (this.#nextAtMs - nowMs) / rate.unitMs));
    const opened =
      this.#closedMs === 0 ? Infinity : Math.floor((STEPS * (nowMs - this.#closedUntilMs)) / this.#closedMs);
    return Math.min(maxUnits, 1 + opened) - this.#used();
  }

  /** How many runs of a tenant may wait here behind their turn: as many as are let in at once, of a rate in 200 ms. */
  get mostBehindTurn(): number {
    const { maxUnits, rate } = this.#rule;
    if (rate !== null) return Math.max(1, Math.ceil(TURN_MS / rate.unitMs));
    return this.kind === 'limit' ? Math.max(1, maxUnits) : Infinity;
  }

  take(run: MemoryRun, nowMs: number): void {
    const { rate } = this.#rule;
    const unit = this.unitOf(run);
    if (this.isTrying || this.kind === 'order' || this.kind === 'limit') this.#holders.set(run, unit);
    if (rate !== null) this.#nextAtMs = Math.max(this.#nextAtMs, nowMs) + unit * rate.unitMs;
  }

  shut(ms: number, nowMs: number): void {
    this.#closedUntilMs = Math.max(this.#closedUntilMs, nowMs + ms);
    this.#closedMs = Math.max(ms, 1);
  }

  /**
   * Takes note of attempts behind a breaker. It opens where its share of its last attempts has failed: nothing is let in
   * for its pause, then one at a time, until one has succeeded. What ends while it is open began before that, and tells
   * nothing new. Returns for how long it opens; null: it does not.
   */
  note(succeeded: number, failed: number, nowMs: number): number | null {
    const { breaker } = this.#rule;
    if (breaker === null || this.#closedUntilMs > nowMs) return null;
    const ended = Array.from({ length: succeeded + failed }, (_, at) => at >= succeeded);
    this.#recent = [...this.#recent, ...ended].slice(-breaker.of);
    const failures = this.#recent.filter((hasFailed) => hasFailed).length;
    const isBad = this.isTrying
      ? failed > 0 && succeeded === 0
      : this.#recent.length >= breaker.of && failures >= breaker.share * breaker.of;
    if (isBad) {
      this.isTrying = true;
      this.#closedUntilMs = nowMs + breaker.pauseMs;
      this.#recent = [];
    } else if (this.isTrying && succeeded > 0) {
      this.isTrying = false;
      this.#recent = [];
    }
    return isBad ? breaker.pauseMs : null;
  }

  /** When the first in line may find room although nobody has given any; null: no moment brings it. */
  opensAtMs(nowMs: number): number | null {
    const first = this.line.first();
    if (first === undefined) return null;
    const soonMs = nowMs + SOON_MS;
    const { rate } = this.#rule;
    if (this.#closedUntilMs > nowMs) return Math.max(soonMs, Math.ceil(this.#closedUntilMs));
    if (rate !== null)
      return Math.max(soonMs, Math.ceil(this.#nextAtMs + (this.unitOf(first) - rate.burst) * rate.unitMs));
    return this.#closedUntilMs + 2 * this.#closedMs > nowMs ? Math.max(soonMs, nowMs + this.#closedMs / STEPS) : null;
  }

  /** Nobody waits, and all that it knows is over, but what a breaker remembers of its last attempts. */
  isIdle(nowMs: number): boolean {
    return (
      this.line.size === 0 &&
      this.#used() === 0 &&
      !this.isTrying &&
      Math.max(this.#closedUntilMs + 2 * this.#closedMs, this.#nextAtMs) <= nowMs
    );
  }

  #used(): number {
    let used = 0;
    for (const [run, unit] of this.#holders) {
      if (this.#isHolding(run)) used += unit;
      else this.#holders.delete(run);
    }
    return used;
  }

  /** A run keeps an order while it waits at gates behind it, and where the contract says so while it is dead. */
  #isHolding(run: MemoryRun): boolean {
    if (this.where.isLive(run)) return this.kind === 'order' ? run.heldBy !== this.key : run.heldBy === null;
    return this.#rule.blocks && this.where.isUnseenDead(run);
  }
}

/** Who is next of those that stand in lines: of an order always the oldest, and before what stands elsewhere. */
export function isNextAt(left: MemoryGate, right: MemoryGate): boolean {
  if ((left.kind === 'order') !== (right.kind === 'order')) return left.kind === 'order';
  return (left.kind === 'order' ? isNumberedBefore : isBefore)(left.line.first()!, right.line.first()!);
}

function isBefore(left: MemoryRun, right: MemoryRun): boolean {
  if (left.priority !== right.priority) return left.priority < right.priority;
  return left.runAtMs === right.runAtMs ? left.number < right.number : left.runAtMs < right.runAtMs;
}

function isNumberedBefore(left: MemoryRun, right: MemoryRun): boolean {
  return left.number < right.number;
}
