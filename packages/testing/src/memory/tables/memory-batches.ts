import { DueworkError } from '@duework/queue-core';
import {
  BATCH_MOMENTS,
  type Batch,
  type BatchMoment,
  type BatchPage,
  type JoinedBatch,
  type NewRun,
} from '@duework/queue-core/ports';
import type { MemoryRun } from './memory-run.js';

const ENDS = ['succeeded', 'dead', 'cancelled'] as const;
type End = (typeof ENDS)[number];

interface MemoryBatch {
  readonly id: string;
  readonly name: string | null;
  readonly createdAtMs: number;
  readonly callbacks: NonNullable<JoinedBatch['callbacks']>;
  readonly enqueued: Map<BatchMoment, string>;
  readonly runIds: string[];
  readonly counts: Record<End, number>;
  hasDied: boolean;
  /** Enqueues into it that wait for room. */
  joining: number;
  settledAtMs: number | null;
}

/** The batches of a queue in this process. */
export class MemoryBatches {
  readonly #all = new Map<string, MemoryBatch>();
  readonly #changed = new Set<MemoryBatch>();

  /** Before runs are inserted into a batch, which may take a while: it cannot settle until `joined`. Throws as `insertBatch`. */
  join({ id, name = null, callbacks }: JoinedBatch, nowMs: number): void {
    if (callbacks !== undefined) {
      const counts = { succeeded: 0, dead: 0, cancelled: 0 };
      const empty = { enqueued: new Map(), runIds: [], counts, hasDied: false, settledAtMs: null };
      this.#all.set(id, { id, name, createdAtMs: nowMs, callbacks, ...empty, joining: 1 });
      return;
    }
    const batch = this.#all.get(id);
    if (batch === undefined) throw new DueworkError('batch_not_found', { id });
    if (batch.settledAtMs !== null) throw new DueworkError('batch_settled', { id });
    batch.joining++;
  }

  /** `isKept`: false where it was a new batch, and its runs were refused. */
  joined({ id, callbacks }: JoinedBatch, isKept: boolean): void {
    const batch = this.#all.get(id)!;
    batch.joining--;
    this.#changed.add(batch);
    if (!isKept && callbacks !== undefined) this.#drop(batch);
  }

  added(run: MemoryRun): void {
    this.#of(run)?.runIds.push(run.id);
  }

  ended(run: MemoryRun): void {
    const batch = this.#of(run);
    if (batch === undefined) return;
    batch.counts[run.status as End]++;
    batch.hasDied ||= run.status === 'dead';
    this.#changed.add(batch);
  }

  /** Back to the queue, having ended as that. */
  returned(run: MemoryRun, from: End): void {
    const batch = this.#of(run);
    if (batch !== undefined) batch.counts[from]--;
  }

  /** Inserts the jobs for which it is time; `insert` returns the id of one. */
  addUp(insert: (run: NewRun) => string, nowMs: number): void {
    for (const batch of this.#changed) {
      this.#changed.delete(batch);
      if (batch.joining > 0) continue;
      if (openOf(batch) === 0) batch.settledAtMs ??= nowMs;
      const isTime = {
        onFirstDead: batch.hasDied,
        onSucceeded: batch.counts.succeeded === batch.runIds.length,
        onSettled: batch.settledAtMs !== null,
      };
      for (const moment of ['onFirstDead', 'onSucceeded', 'onSettled'] as const) {
        const run = batch.callbacks[moment];
        if (run !== undefined && isTime[moment] && !batch.enqueued.has(moment)) batch.enqueued.set(moment, insert(run));
      }
    }
  }

  find(id: string): Batch | null {
    const batch = this.#all.get(id);
    return batch === undefined ? null : toBatch(batch);
  }

  runIdsOf(id: string): readonly string[] {
    return this.#all.get(id)?.runIds ?? [];
  }

  /** A cursor is the id of the last one. */
  list({ limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined }): BatchPage {
    const newest = [...this.#all.values()].reverse();
    const at = cursor === undefined ? 0 : newest.findIndex(({ id }) => id === cursor) + 1;
    if (cursor !== undefined && at === 0) throw new DueworkError('invalid_cursor', { cursor });
    const batches = newest.slice(at, at + limit).map(toBatch);
    return { batches, nextCursor: newest.length > at + limit ? batches.at(-1)!.id : null };
  }

  /** Whether a run belongs to a batch that is there. */
  keeps(run: MemoryRun): boolean {
    return this.#of(run) !== undefined;
  }

  /** Forgets what has settled before, with dead runs before `oldestDeadMs`. */
  prune(oldestMs: number, oldestDeadMs: number): void {
    for (const batch of this.#all.values()) {
      const { settledAtMs, counts } = batch;
      if (settledAtMs !== null && settledAtMs < (counts.dead > 0 ? oldestDeadMs : oldestMs)) this.#drop(batch);
    }
  }

  #of({ terms }: MemoryRun): MemoryBatch | undefined {
    return terms?.batch === undefined ? undefined : this.#all.get(terms.batch);
  }

  #drop(batch: MemoryBatch): void {
    this.#all.delete(batch.id);
    this.#changed.delete(batch);
  }
}

const openOf = ({ runIds, counts }: MemoryBatch): number =>
  runIds.length - ENDS.reduce((sum, end) => sum + counts[end], 0);

function toBatch(batch: MemoryBatch): Batch {
  const { id, name, runIds, counts, createdAtMs, settledAtMs, enqueued, callbacks } = batch;
  return {
    id,
    name,
    jobs: runIds.length,
    ...counts,
    open: openOf(batch),
    createdAt: new Date(createdAtMs),
    settledAt: settledAtMs === null ? null : new Date(settledAtMs),
    callbacks: Object.fromEntries(
      BATCH_MOMENTS.map((moment) => [moment, enqueued.get(moment) ?? null]),
    ) as Batch['callbacks'],
    planned: BATCH_MOMENTS.filter((moment) => callbacks[moment] !== undefined).toSorted(),
  };
}
