import { AsyncResource } from 'node:async_hooks';
import { pause, type Clock } from '../clock.js';
import type { RunStore, SettledStatus, Settlement } from '../ports/runs.js';
import { isRefusal } from '@duework/sql/errors';
import type { NextInLine } from '../claim/next-in-line.js';
import type { FailureReport } from '../report-failures.js';

/**
 * Writes settlements in batches: while one statement is on its way, the next settlements gather. Each is fenced on its
 * own, so a lost lease does not affect the rest of its batch.
 *
 * A database that does not answer never turns a success into a failure: the batch is tried again until its leases are
 * over, and its runs are then left to the rescue. A batch that the database refuses is written row by row; a row that
 * it refuses is tried again on its own, and no other settlement waits for it.
 */
export interface WriteRequest {
  readonly settlement: Settlement;
  /** When this lease is over, on the process clock, another worker may decide. The heartbeat renews it meanwhile. */
  readonly lease: { readonly grantedMs: number; readonly leaseMs: number };
  /** Called once, when the settlement is written, lost, or given up. */
  readonly answer: (answer: WriteAnswer) => void;
}

/**
 * The run's new status; `'lost'`: another worker had the lease; `'gave_up'`: the settlement could not be written in
 * time.
 */
export type WriteAnswer = SettledStatus | 'lost' | 'gave_up';

/** What one statement writes at most. So many gather only while the server is slow to answer. */
const MAX_BATCH = 1_000;
/** Statements on their way at once; a second one only from `WORTH_ANOTHER` waiting settlements on. */
const MAX_FLUSHES = 2;
const WORTH_ANOTHER = 250;
/** Runs with gates make room for others: while no more than these have ended, they wait for nobody to share a statement. */
const FEW = 4;
const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 1_000;

export class SettlementWriter {
  readonly #waiting: WriteRequest[] = [];
  #flushes = 0;
  #flushedMs = -Infinity;
  /** Outside of the context of whoever begins it, because it goes on for others. */
  readonly #begin = AsyncResource.bind(() => void this.#flush());

  constructor(
    private readonly store: RunStore,
    private readonly clock: Clock,
    private readonly report: FailureReport,
    /** Runs with gates have ended: others may have been let in. */
    private readonly onRoom: () => void = () => {},
    /** Which of them settlements may claim; null: none. */
    private readonly nextInLine: NextInLine | null = null,
  ) {}

  write(request: WriteRequest): void {
    this.#waiting.push(request);
    if (this.#flushes === 0 || (this.#flushes < MAX_FLUSHES && this.#waiting.length >= WORTH_ANOTHER)) this.#begin();
  }

  async #flush(): Promise<void> {
    this.#flushes++;
    // let the settlements of this turn of the event loop gather
    await new Promise<void>((resolve) => process.nextTick(resolve));
    while (this.#waiting.length > 0) {
      await this.#gather();
      const batch = latestOfEach(this.#waiting.splice(0, MAX_BATCH));
      // one statement per kind, sent on its own: when one kind fails, those already written must not be sent again
      for (const group of ofOneKind(batch)) await this.#send(group);
    }
    this.#flushes--;
  }

  /** Under load the settlements of a few milliseconds share a statement; a single one is written at once. */
  async #gather(): Promise<void> {
    const startedMs = this.clock.monotonicMs();
    const waitMs = this.#flushedMs + (this.store.settleGapMs ?? 0) - startedMs;
    const isUrgent =
      this.#waiting.length <= FEW && this.#waiting.some(({ settlement }) => settlement.gates !== undefined);
    if (waitMs > 0 && !isUrgent && this.#waiting.length < WORTH_ANOTHER) await pause(this.clock, waitMs);
    this.#flushedMs = this.clock.monotonicMs();
  }

  /** Resolves when each settlement is written, given up, or refused; the caller does not wait for refused ones. */
  async #send(batch: readonly WriteRequest[]): Promise<void> {
    let pending = batch;
    for (let retryMs = FIRST_RETRY_MS; pending.length > 0; retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)) {
      try {
        return await this.#settle(pending);
      } catch (error) {
        this.report.failed('settle', error);
        if (isRefusal(error)) return this.#sendAlone(pending);
        await pause(this.clock, retryMs);
        pending = this.#withoutExpired(pending);
      }
    }
  }

  async #settle(batch: readonly WriteRequest[]): Promise<void> {
    const { kind, gates } = batch[0]!.settlement;
    const taking = gates === undefined || kind !== 'complete' ? undefined : this.nextInLine?.ask();
    let settled: readonly (SettledStatus | null)[];
    let received: Promise<void> | undefined;
    try {
      settled = await this.store.settle(
        batch.map(({ settlement }) => settlement),
        taking,
      );
    } finally {
      if (taking !== undefined) received = this.nextInLine?.receive(taking);
    }
    if (received !== undefined) await received;
    this.report.succeeded('settle');
    for (const [at, waiting] of batch.entries()) waiting.answer(settled[at] ?? 'lost');
    if (taking !== undefined) this.nextInLine?.begin(taking);
    if (gates !== undefined && taking?.isAll !== true) this.onRoom();
  }

  async #sendAlone(refused: readonly WriteRequest[]): Promise<void> {
    if (refused.length > 1) for (const waiting of refused) await this.#send([waiting]);
    else void this.#sendLater(refused);
  }

  /** Tries again after a pause, because the cause may be mended by then: a missing partition, say. */
  async #sendLater(refused: readonly WriteRequest[]): Promise<void> {
    await pause(this.clock, MAX_RETRY_MS);
    await this.#send(this.#withoutExpired(refused));
  }

  #withoutExpired(batch: readonly WriteRequest[]): readonly WriteRequest[] {
    const nowMs = this.clock.monotonicMs();
    for (const waiting of batch) if (giveUpAtMs(waiting) <= nowMs) waiting.answer('gave_up');
    return batch.filter((waiting) => giveUpAtMs(waiting) > nowMs);
  }
}

/** By kind, and those with gates apart from those without, whose statements are shorter. */
function ofOneKind(batch: readonly WriteRequest[]): Iterable<readonly WriteRequest[]> {
  const groups = new Map<string, WriteRequest[]>();
  for (const waiting of batch) {
    const { kind, gates } = waiting.settlement;
    const key = gates === undefined ? kind : `gated ${kind}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [waiting]);
    else group.push(waiting);
  }
  return groups.values();
}

function giveUpAtMs({ lease }: WriteRequest): number {
  return lease.grantedMs + lease.leaseMs;
}

/**
 * The settlement of each run's latest claim. A worker whose process was suspended for longer than a lease may claim its
 * own run again and end both attempts at once: the earlier one is lost, and must not get the answer of the later one,
 * because answers go by run.
 */
function latestOfEach(batch: readonly WriteRequest[]): readonly WriteRequest[] {
  if (new Set(batch.map(({ settlement }) => settlement.id)).size === batch.length) return batch;
  const latest = new Map<string, WriteRequest>();
  const overtaken: WriteRequest[] = [];
  for (const waiting of batch) {
    const { id, fence } = waiting.settlement;
    const other = latest.get(id);
    if (other === undefined || other.settlement.fence < fence) latest.set(id, waiting);
    if (other !== undefined) overtaken.push(other.settlement.fence < fence ? other : waiting);
  }
  for (const waiting of overtaken) waiting.answer('lost');
  return [...latest.values()];
}
