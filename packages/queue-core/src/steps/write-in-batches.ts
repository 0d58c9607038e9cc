import { AsyncResource } from 'node:async_hooks';
import { isRefusal } from '@duework/sql/errors';
import { pause, type Clock } from '../clock.js';
import type { FailureReport } from '../report-failures.js';

const MAX_BATCH = 500;
const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 1_000;

/** On the process clock. */
export interface LeaseTime {
  readonly grantedMs: number;
  readonly leaseMs: number;
}

interface Request<TItem, TAnswer> {
  readonly item: TItem;
  readonly lease: LeaseTime;
  readonly resolve: (answer: TAnswer) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatchWriterOptions<TItem, TAnswer> {
  /** One statement; answers for each, in their order. */
  readonly send: (batch: readonly TItem[]) => Promise<readonly TAnswer[]>;
  /** The answer where the lease was over before anything could be written. */
  readonly lost: TAnswer;
  readonly clock: Clock;
  readonly report: FailureReport;
}

/**
 * Writes what the steps of many runs have to say in one statement: while one is on its way the next ones gather; a single
 * one is written at once. While the database is away it is tried again until the lease is over, because what a step did
 * has happened.
 */
export class BatchWriter<TItem, TAnswer> {
  #waiting: Request<TItem, TAnswer>[] = [];
  #isBusy = false;
  /** Outside of the context of the attempt that begins it, because it goes on for others. */
  readonly #begin = AsyncResource.bind(() => void this.#flush());

  constructor(private readonly options: BatchWriterOptions<TItem, TAnswer>) {}

  /** Resolves once it is written, or not; rejects where the database refuses it. */
  write(item: TItem, lease: LeaseTime): Promise<TAnswer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, lease, resolve, reject });
      if (!this.#isBusy) this.#begin();
    });
  }

  async #flush(): Promise<void> {
    this.#isBusy = true;
    // let the steps of this turn of the event loop gather
    await new Promise<void>((resolve) => process.nextTick(resolve));
    while (this.#waiting.length > 0) await this.#send(this.#waiting.splice(0, MAX_BATCH));
    this.#isBusy = false;
  }

  async #send(batch: readonly Request<TItem, TAnswer>[]): Promise<void> {
    const { send, lost, clock, report } = this.options;
    let pending = batch;
    for (let retryMs = FIRST_RETRY_MS; pending.length > 0; retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)) {
      try {
        const answers = await send(pending.map(({ item }) => item));
        report.succeeded('step');
        for (const [at, { resolve }] of pending.entries()) resolve(answers[at] ?? lost);
        return;
      } catch (error) {
        report.failed('step', error);
        if (isRefusal(error)) return this.#sendAlone(pending, error);
        await pause(clock, retryMs);
        pending = this.#withoutExpired(pending);
      }
    }
  }

  async #sendAlone(refused: readonly Request<TItem, TAnswer>[], error: unknown): Promise<void> {
    if (refused.length === 1) return refused[0]!.reject(error);
    for (const request of refused) await this.#send([request]);
  }

  #withoutExpired(batch: readonly Request<TItem, TAnswer>[]): readonly Request<TItem, TAnswer>[] {
    const { clock, lost } = this.options;
    const nowMs = clock.monotonicMs();
    const isOver = ({ lease }: Request<TItem, TAnswer>): boolean => lease.grantedMs + lease.leaseMs <= nowMs;
    for (const request of batch) if (isOver(request)) request.resolve(lost);
    return batch.filter((request) => !isOver(request));
  }
}
