import type { Catalog, ContractOf, Duration, JobContract, PayloadOf, ResultOf } from '@duework/contracts';
import type { Queryable } from '@duework/sql';
import { checkOption, readDuration } from '../enqueue/check-run-options.js';
import type { Once } from '../effects/effect-context.js';
import type { ClaimedRun, SettledStatus } from '../ports/runs.js';
import type { Json, Meta } from '../queue/job.js';
import type { Outcome } from '../settle/outcome.js';

export interface TakerOptions<TCatalog extends Catalog> {
  /** Of what it takes, in versions that it can read; of no contract with `durable` or `isolate`. */
  readonly contracts: TCatalog;
  /** Default: those of the contracts. */
  readonly queues?: readonly string[];
  /** How long a job is yours, from when it was taken or renewed; default: the `lease` of its contract. */
  readonly lease?: Duration;
  /** As which it is shown, as a worker is; no worker may have it. Default: `hand-`, host, process and number. */
  readonly name?: string;
}

/** Takes jobs for a loop of your own: see `openTaker`. */
export interface JobTaker<TCatalog extends Catalog = Catalog> {
  /**
   * Takes due jobs, the most urgent first, up to `limit` (1 to 1,000, default 1): none is due: an empty list. Each is
   * charged an attempt. A payload that its contract refuses is not among them: that job is dead, as with a worker.
   *
   * @throws DueworkError `invalid_option`, `not_migrated`, `permission_denied`
   */
  take(options?: { readonly limit?: number }): Promise<readonly TakenOf<TCatalog>[]>;
}

/** One of the jobs of that catalog: its `type` tells which. */
export type TakenOf<TCatalog extends Catalog> = {
  [TType in TCatalog[number]['type']]: TakenJob<ContractOf<TCatalog, TType>>;
}[TCatalog[number]['type']];

/**
 * A job that is yours until its lease is over. Whatever settles it throws an `AbortReason` (`lease_lost`), and changes
 * nothing, if it is not yours any more: its lease was over and another has it, or it was settled before. Each returns the
 * status that the job has now: `cancelled`, too, where somebody has asked for that meanwhile.
 */
export interface TakenJob<C extends JobContract = JobContract> {
  readonly type: C['type'];
  readonly payload: PayloadOf<C>;
  readonly run: ClaimedRun;
  /** The texts beside the payload; null: none. */
  readonly meta: Meta | null;
  /** Counted from 1. */
  readonly attempt: number;
  /** Grows with every claim of this job: a system that remembers it can refuse a holder that lost its lease. */
  readonly fence: number;
  /** Aborts when the lease is over, and when `renew` has found that the job is another's or is to be cancelled. */
  readonly signal: AbortSignal;
  /** As of a handler: see `makeOnce`. */
  readonly once: Once;
  /**
   * Begins the lease anew. false: its row is locked at this moment, by your own transaction perhaps; ask again. Throws an
   * `AbortReason` (`lease_lost`) if the job is not yours any more.
   */
  renew(): Promise<boolean>;
  /** The work is done. Throws `TypeError`, and changes nothing, for a result that does not fit its contract. */
  complete(result?: ResultOf<C> & Json): Promise<SettledStatus>;
  /** The same inside your transaction: its writes and the completion commit together or not at all. */
  completeIn(tx: Queryable, result?: ResultOf<C> & Json): Promise<void>;
  /** The attempt failed with that error: it is judged, and retried or dead, as what a handler throws. */
  fail(error: unknown): Promise<SettledStatus>;
  /** Runs again after the delay, uncharged. */
  snooze(delay: Duration): Promise<SettledStatus>;
  /** Any outcome that a handler can return: `retry`, `bury`, `rateLimited`, … */
  settle(outcome: Outcome<ResultOf<C>>): Promise<SettledStatus>;
}

/**
 * Takes and settles jobs by hand, for those who own their loop; `runWorker` does all of this for you. Pass a client or a
 * pool, and no transaction. Pauses, versions, flow control and fences hold as with workers, in which it is one more. What
 * it does not settle comes back after the lease, which needs any worker that runs: chores are theirs.
 *
 * @throws DueworkError `invalid_option`
 */
export function openTaker<const TCatalog extends Catalog>(
  db: Queryable,
  options: TakerOptions<TCatalog>,
): JobTaker<TCatalog> {
  const { contracts } = options;
  const areTakeable = contracts.length > 0 && contracts.every(({ durable, isolate }) => !durable && !isolate);
  checkOption(
    'contracts',
    contracts.map(({ type }) => type),
    areTakeable,
    'contracts without durable and isolate',
  );
  const leaseMs = options.lease === undefined ? null : readDuration('lease', options.lease);
  checkOption('lease', options.lease, leaseMs === null || leaseMs >= 1_000, 'at least "1s"');
  let taker: Promise<JobTaker> | undefined;
  return {
    async take({ limit = 1 } = {}) {
      checkOption(
        'limit',
        limit,
        Number.isInteger(limit) && limit >= 1 && limit <= 1_000,
        'a whole number from 1 to 1,000',
      );
      // most programs take no job by hand
      taker ??= import('./taker.js').then(({ Taker }) => new Taker(db, options, leaseMs));
      return (await (await taker).take({ limit })) as readonly TakenOf<TCatalog>[];
    },
  };
}
