import { isRefusal } from '@duework/sql/errors';
import { pause, type Clock } from '../clock.js';
import { CallGroup } from '../enqueue/group-calls.js';
import type { FailureReport } from '../report-failures.js';

const MAX_GROUP = 500;
const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 1_000;

/** On the process clock. */
export interface LeaseTime {
  readonly grantedMs: number;
  readonly leaseMs: number;
}

export interface LeasedWriterOptions<TItem, TAnswer> {
  /** One statement; answers for each, in their order. */
  readonly send: (group: readonly TItem[]) => Promise<readonly TAnswer[]>;
  /** The answer if the lease was over before anything could be written. */
  readonly lost: TAnswer;
  readonly clock: Clock;
  readonly report: FailureReport;
}

/**
 * Writes what the steps of many runs have to say, those that come together in one statement. While the database is away
 * each is tried again until its lease is over, because what a step did has happened.
 */
export class LeasedWriter<TItem, TAnswer> {
  readonly #group: CallGroup<TItem, TAnswer>;

  constructor(private readonly options: LeasedWriterOptions<TItem, TAnswer>) {
    this.#group = new CallGroup({ send: options.send, max: MAX_GROUP });
  }

  /** Resolves once it is written, or not; rejects if the database refuses it. */
  async write(item: TItem, lease: LeaseTime): Promise<TAnswer> {
    const { clock, report, lost } = this.options;
    for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)) {
      try {
        const answer = await this.#group.call(item);
        report.succeeded('step');
        return answer;
      } catch (error) {
        report.failed('step', error);
        if (isRefusal(error)) throw error;
      }
      await pause(clock, retryMs);
      if (lease.grantedMs + lease.leaseMs <= clock.monotonicMs()) return lost;
    }
  }
}
