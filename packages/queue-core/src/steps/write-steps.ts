import { isRefusal } from '@duework/sql/errors';
import { pause, type Clock } from '../clock.js';
import type { NewStep, StepAnswer, StepStore } from '../ports/steps.js';
import type { FailureReport } from '../worker/report-failures.js';

const MAX_BATCH = 500;
const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 1_000;

interface Request {
  readonly step: NewStep;
  readonly lease: { readonly grantedMs: number; readonly leaseMs: number };
  readonly resolve: (answer: StepAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes steps of many runs in one statement: while one is on its way the next ones gather; a single one is written at
 * once. While the database is away a step is tried again until its lease is over, because what it did has happened.
 */
export class StepWriter {
  #waiting: Request[] = [];
  #isBusy = false;

  constructor(
    private readonly store: StepStore,
    private readonly clock: Clock,
    private readonly report: FailureReport,
  ) {}

  /** Resolves once it is written, or not; rejects where the database refuses it. */
  write(step: NewStep, lease: Request['lease']): Promise<StepAnswer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ step, lease, resolve, reject });
      if (!this.#isBusy) void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    this.#isBusy = true;
    // let the steps of this turn of the event loop gather
    await new Promise<void>((resolve) => process.nextTick(resolve));
    while (this.#waiting.length > 0) await this.#send(this.#waiting.splice(0, MAX_BATCH));
    this.#isBusy = false;
  }

  async #send(batch: readonly Request[]): Promise<void> {
    let pending = batch;
    for (let retryMs = FIRST_RETRY_MS; pending.length > 0; retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)) {
      try {
        const answers = await this.store.writeSteps(pending.map(({ step }) => step));
        this.report.succeeded('step');
        for (const [at, { resolve }] of pending.entries()) resolve(answers[at] ?? 'lost');
        return;
      } catch (error) {
        this.report.failed('step', error);
        if (isRefusal(error)) return this.#sendAlone(pending, error);
        await pause(this.clock, retryMs);
        pending = this.#withoutExpired(pending);
      }
    }
  }

  async #sendAlone(refused: readonly Request[], error: unknown): Promise<void> {
    if (refused.length === 1) return refused[0]!.reject(error);
    for (const request of refused) await this.#send([request]);
  }

  #withoutExpired(batch: readonly Request[]): readonly Request[] {
    const nowMs = this.clock.monotonicMs();
    const isOver = ({ lease }: Request): boolean => lease.grantedMs + lease.leaseMs <= nowMs;
    for (const request of batch) if (isOver(request)) request.resolve('lost');
    return batch.filter((request) => !isOver(request));
  }
}
