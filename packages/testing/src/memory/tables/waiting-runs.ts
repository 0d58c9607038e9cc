import type { ClaimRequest } from '@duework/queue-core/ports';
import { canRead } from '../work/can-read.js';
import { Heap } from './heap.js';
import { isExpired, type MemoryRun } from './memory-run.js';

const PRIORITIES = Array.from({ length: 10 }, (_, priority) => priority);

/**
 * The waiting runs, in the order (priority, run_at, id) of claims. There is a heap for each queue, priority, type and
 * version, because a worker claims only what it can read: other runs never stand in its way.
 */
export class WaitingRuns {
  readonly #heaps = new Map<string, Map<string, Heap<MemoryRun>>>();

  add(run: MemoryRun): void {
    const place = placeOf(run.queue, run.priority);
    const byShape = this.#heaps.get(place) ?? new Map<string, Heap<MemoryRun>>();
    this.#heaps.set(place, byShape);
    const heap = byShape.get(shapeOf(run)) ?? new Heap<MemoryRun>(isBefore);
    byShape.set(shapeOf(run), heap);
    heap.add(run);
  }

  /** Removes a run, and its heap when that is empty, so that past runs take no room. */
  remove(run: MemoryRun): void {
    const place = placeOf(run.queue, run.priority);
    const byShape = this.#heaps.get(place)!;
    const heap = byShape.get(shapeOf(run))!;
    heap.remove(run);
    if (heap.size === 0) byShape.delete(shapeOf(run));
    if (byShape.size === 0) this.#heaps.delete(place);
  }

  /** Takes up to `limit` runs of a queue that are due, and that these contracts can read. */
  takeDue(queue: string, contracts: ClaimRequest['contracts'], limit: number, nowMs: number): MemoryRun[] {
    const taken: MemoryRun[] = [];
    // they stay where they are until they are cancelled
    const expired: MemoryRun[] = [];
    for (const priority of PRIORITIES) {
      const byShape = this.#heaps.get(placeOf(queue, priority)) ?? new Map<string, Heap<MemoryRun>>();
      const heaps = [...byShape.values()].filter((heap) => canRead(contracts, heap.first()!));
      while (taken.length < limit) {
        const next = firstOf(heaps);
        if (next === null || next.runAtMs > nowMs) break;
        this.remove(next);
        if (isExpired(next, nowMs)) expired.push(next);
        else taken.push(next);
      }
    }
    for (const run of expired) this.add(run);
    return taken;
  }

  /** When the next run that is not due at `nowMs` becomes due; null: there is none. */
  nextRunAtMs(nowMs: number): number | null {
    let nextMs = Infinity;
    for (const byShape of this.#heaps.values()) {
      for (const heap of byShape.values()) {
        const { runAtMs } = heap.first()!;
        if (runAtMs > nowMs) nextMs = Math.min(nextMs, runAtMs);
      }
    }
    return nextMs === Infinity ? null : nextMs;
  }

  get size(): number {
    return [...this.#heaps.values()]
      .flatMap((byShape) => [...byShape.values()])
      .reduce((sum, heap) => sum + heap.size, 0);
  }
}

function placeOf(queue: string, priority: number): string {
  return `${priority} ${queue}`;
}

function shapeOf({ type, version }: MemoryRun): string {
  return `${version} ${type}`;
}

function isBefore(left: MemoryRun, right: MemoryRun): boolean {
  return left.runAtMs === right.runAtMs ? left.number < right.number : left.runAtMs < right.runAtMs;
}

function firstOf(heaps: readonly Heap<MemoryRun>[]): MemoryRun | null {
  let first: MemoryRun | null = null;
  for (const heap of heaps) {
    const head = heap.first();
    if (head !== undefined && (first === null || isBefore(head, first))) first = head;
  }
  return first;
}
