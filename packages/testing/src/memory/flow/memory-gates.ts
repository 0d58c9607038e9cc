import type { Catalog } from '@duework/contracts';
import type { GateNotes } from '@duework/queue-core/ports';
import { Heap } from '../tables/heap.js';
import type { MemoryRun } from '../tables/memory-run.js';
import { isNextAt, MemoryGate, type Whereabouts } from './memory-gate.js';
import { MemoryRules } from './memory-rules.js';
import { TenantTurns } from './tenant-turns.js';

/** What gates do with the runs of the tables. */
export interface GatedTables extends Whereabouts {
  nowMs(): number;
  /** The run is due, and claims see it. */
  letIn(run: MemoryRun): void;
  /** A tenant has a run that waits for its turn, which a claim gives. */
  onTurn(): void;
}

/** With more gates than this those at which nothing happens are forgotten. */
const MOST_GATES = 10_000;

/**
 * Who may run: a run with gates is held, and no claim sees it, until all of its gates have room at once. It stands in
 * line at the first that had none. A slot belongs to the run from the moment at which it is let in until it ends or is
 * held again, and whether it still has it is looked up: no counter has to be lowered.
 *
 * Every verb that ends, holds or brings a run notes its gates to be looked at, and has them looked at when it is done.
 */
export class MemoryGates {
  readonly rules = new MemoryRules();
  readonly #gates = new Map<string, MemoryGate>();
  /** Held, and not due yet. */
  readonly #later = new Heap<MemoryRun>((left, right) =>
    left.runAtMs === right.runAtMs ? left.number < right.number : left.runAtMs < right.runAtMs,
  );
  readonly #toLook = new Set<string>();
  /** When gates open by themselves at which somebody waits. */
  readonly #opensAtMs = new Map<string, number>();
  readonly #turns = new Map<string, TenantTurns>();
  /** By queue: who has had a turn and may not be claimed yet. */
  readonly #ahead = new Map<string, Set<MemoryRun>>();
  #looked = new Heap<MemoryGate>(isNextAt);

  constructor(private readonly tables: GatedTables) {}

  /** A rule that was loosened lets in whom it has held. */
  declare(catalog: Catalog): void {
    this.rules.declare(catalog);
    for (const key of this.#gates.keys()) this.#toLook.add(key);
  }

  /**
   * Where a run waits that has begun and is to be tried again: at its first gate. Behind an order that waits for its
   * retries it keeps the order, and waits at the gate behind it; null: there is none, and it waits in the queue.
   */
  gateToRetry({ gates, heldBy }: MemoryRun): string | null {
    if (heldBy !== null || gates === null) return heldBy;
    const [first, second = null] = gates;
    const waits = first!.startsWith('order/') && !this.rules.of(first!.split('/', 2).join('/')).stepsOver;
    return waits ? second : first!;
  }

  /** A run that is held begins to wait: in line where it is due. */
  hold(run: MemoryRun): void {
    if (run.runAtMs > this.tables.nowMs()) this.#later.add(run);
    else this.#stand(run);
    this.toLook(run);
  }

  /** A held run leaves the line, wherever it stands. */
  leave(run: MemoryRun): void {
    if (this.#later.has(run)) return this.#later.remove(run);
    const gate = this.#gate(run.heldBy!);
    gate.line.remove(run);
    if (gate.line.size === 0) this.#turnsOf(gate)?.leave(gate);
  }

  /** Changes where a run stands in its line. That gives nobody room: nobody looks, unless it was not in line yet. */
  move(run: MemoryRun, change: () => void): void {
    const isNew = this.#later.has(run);
    this.leave(run);
    change();
    if (isNew) this.hold(run);
    else this.#stand(run);
  }

  /** Its gates may have room, or somebody new in line. */
  toLook({ gates }: MemoryRun): void {
    for (const key of gates ?? []) this.#toLook.add(key);
  }

  /** What the ends of attempts tell of gates. Returns those that are shut by it, and for how long. */
  note({ shut, succeeded, failed }: GateNotes): ReadonlyMap<string, number> {
    const nowMs = this.tables.nowMs();
    const shutMs = new Map(Object.entries(shut));
    for (const [key, ms] of shutMs) this.#gate(key).shut(ms, nowMs);
    for (const key of new Set([...Object.keys(succeeded), ...Object.keys(failed)])) {
      const pauseMs = this.#gate(key).note(succeeded[key] ?? 0, failed[key] ?? 0, nowMs);
      if (pauseMs !== null) shutMs.set(key, pauseMs);
    }
    return shutMs;
  }

  /** Whether one of its gates is a breaker that has opened: an attempt behind it is a try. */
  isTried({ gates }: MemoryRun): boolean {
    return (gates ?? []).some((key) => this.#gates.get(key)?.isTrying === true);
  }

  /** Lets in whoever is next at the gates where something has happened, or that have opened by themselves. */
  look(): void {
    const nowMs = this.tables.nowMs();
    for (let run = this.#later.first(); run !== undefined && run.runAtMs <= nowMs; run = this.#later.first()) {
      this.#later.remove(run);
      this.#stand(run);
      this.toLook(run);
    }
    for (const [key, atMs] of this.#opensAtMs) if (atMs <= nowMs) this.#toLook.add(key);
    for (const key of this.#toLook) {
      const gate = this.#gate(key);
      // tenants wait for their turn, which a claim gives
      if (gate.kind !== 'tenant' && gate.line.size > 0) this.#looked.add(gate);
    }
    for (let gate = this.#looked.first(); gate !== undefined; gate = this.#looked.first()) {
      this.#looked.remove(gate);
      if (this.#decide(gate, nowMs) !== 'shut' && gate.line.size > 0) this.#looked.add(gate);
    }
    this.#expectOpening(nowMs);
  }

  /**
   * Lets up to `room` runs of a queue go on whose tenants wait for their turn, less what no claim has taken yet. A tenant
   * gets none while as many of its runs wait behind their turn at a limit or a rate as that takes at once.
   */
  takeTurns(queue: string, room: number): void {
    const turns = this.#turns.get(queue);
    if (turns === undefined) return;
    const nowMs = this.tables.nowMs();
    const turned = this.#ahead.get(queue) ?? new Set<MemoryRun>();
    this.#ahead.set(queue, turned);
    for (const run of turned)
      if (!this.tables.isLive(run) || run.status === 'running' || run.heldBy === tenantOf(run)) turned.delete(run);
    const behind = [...turned].filter(({ heldBy }) => heldBy !== null);
    const isFull = (tenant: MemoryGate): boolean =>
      behind.some(
        ({ gates, heldBy: key }) =>
          gates!.includes(tenant.key) &&
          behind.filter((other) => other.heldBy === key && other.gates!.includes(tenant.key)).length >=
            this.#gate(key!).mostBehindTurn,
      );
    for (let left = room - (turned.size - behind.length); left > 0; left--) {
      const gate = turns.first(isFull);
      if (gate === undefined) break;
      const run = gate.line.first()!;
      if (this.#decide(gate, nowMs) === 'moved') behind.push(run);
      turned.add(run);
      turns.took(gate, gate.unitOf(run));
    }
    this.#expectOpening(nowMs);
  }

  /** When a claim after `nowMs` should look although nothing happens: the next one will see what is due before; null: never. */
  nextLookMs(nowMs: number): number | null {
    const momentsMs = [this.#later.first()?.runAtMs ?? Infinity, ...this.#opensAtMs.values()];
    const nextMs = Math.min(...momentsMs.filter((atMs) => atMs > nowMs), Infinity);
    return nextMs === Infinity ? null : nextMs;
  }

  /**
   * Decides about the first in line: lets it in where all of its gates have room; has it wait at the first that has
   * none, with the order that it has got; or leaves it where it is, because that one is shut.
   */
  #decide(gate: MemoryGate, nowMs: number): 'let_in' | 'moved' | 'shut' {
    const run = gate.line.first()!;
    const at = run.gates!.indexOf(gate.key);
    const needed = run
      .gates!.map((key, place) => ({ needs: this.#gate(key), place }))
      // an order that it has from before it came here, and a turn that it was given, need no room
      .filter(
        ({ needs, place }) =>
          !needs.holds(run) && !(needs.kind === 'tenant' && place <= at) && !(needs.kind === 'order' && place < at),
      )
      .map(({ needs }) => needs);
    const shut = needed.find((needs) => needs.kind === 'tenant' || needs.unitOf(run) > needs.free(nowMs));
    if (shut === gate) return 'shut';
    this.leave(run);
    for (const needs of needed)
      if (shut === undefined || (needs.kind === 'order' && needs !== shut)) needs.take(run, nowMs);
    if (shut === undefined) {
      this.tables.letIn(run);
      return 'let_in';
    }
    run.heldBy = shut.key;
    // behind its turn it stands as of now: else one that is older, of a tenant that has had more turns, went before it
    if (gate.kind === 'tenant') run.runAtMs = nowMs;
    this.#toLook.add(shut.key);
    this.#stand(run);
    return 'moved';
  }

  #stand(run: MemoryRun): void {
    const gate = this.#gate(run.heldBy!);
    const isLookedAt = gate.place >= 0;
    if (isLookedAt) this.#looked.remove(gate);
    gate.line.add(run);
    if (isLookedAt) this.#looked.add(gate);
    const turns = this.#turnsOf(gate);
    if (turns === null) return;
    turns.join(gate);
    this.tables.onTurn();
  }

  /** Writes down when the gates that were looked at open by themselves. */
  #expectOpening(nowMs: number): void {
    for (const key of this.#toLook) {
      const atMs = this.#gate(key).opensAtMs(nowMs);
      if (atMs === null) this.#opensAtMs.delete(key);
      else this.#opensAtMs.set(key, atMs);
    }
    this.#toLook.clear();
    if (this.#gates.size > MOST_GATES)
      for (const [key, gate] of this.#gates) if (gate.isIdle(nowMs)) this.#gates.delete(key);
  }

  #gate(key: string): MemoryGate {
    const known = this.#gates.get(key);
    if (known !== undefined) return known;
    const gate = new MemoryGate(key, this.rules, this.tables);
    this.#gates.set(key, gate);
    return gate;
  }

  /** Of a tenant: the turns of its queue; null: it is none. */
  #turnsOf({ kind, key }: MemoryGate): TenantTurns | null {
    if (kind !== 'tenant') return null;
    const queue = key.split('/', 2)[1]!;
    const turns = this.#turns.get(queue) ?? new TenantTurns();
    this.#turns.set(queue, turns);
    return turns;
  }
}

const tenantOf = ({ gates }: MemoryRun): string | undefined => gates?.find((key) => key.startsWith('tenant/'));
