import type { Duration } from '@duework/contracts';
import type { Queryable } from '@duework/sql';
import type { OwnedRun } from '../claim/owned-run.js';
import { systemClock } from '../clock.js';
import type { Once } from '../effects/effect-context.js';
import { makeOnce } from '../effects/once.js';
import { loadPayload } from '../objects/load-payload.js';
import type { SettledStatus, Settlement } from '../ports/runs.js';
import type { Store } from '../ports/store.js';
import type { Json } from '../queue/job.js';
import { nameId } from '../queue/shard-id.js';
import type { parsePayload } from '../run/parse-payload.js';
import { AbortReason, readOutcome } from '../settle/attempt-end.js';
import { checkResult } from '../settle/check-result.js';
import { decideSettlement, factsOf, type Ending } from '../settle/decide-settlement.js';
import { logsOf, withLogs } from '../settle/logs-of.js';
import { snooze, type Outcome } from '../settle/outcome.js';
import type { TakenJob } from './open-taker.js';

/** For so long the database's word counts that the job is held here, before an effect begins. */
const SURE_MS = 1_000;

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const PARTS = { clock: systemClock, random: Math.random, backoffOf: new Map(), logOf: () => SILENT };

/** A job that somebody has taken by hand, and the fence by which all that is written of it is his. */
export class HeldJob implements TakenJob {
  readonly run;
  payload: unknown;
  #grantedMs: number;
  #isSettled = false;
  #stopTimer: (() => void) | null = null;
  #once: Once | null = null;

  constructor(
    private readonly store: Store,
    private readonly owned: OwnedRun,
    private readonly leaseMs: number,
    grantedMs: number,
  ) {
    const { run } = owned;
    this.run = store.shard === undefined ? run : { ...run, id: nameId(store.shard, run.id) };
    this.#grantedMs = grantedMs;
  }

  get type(): string {
    return this.run.type;
  }
  get meta() {
    return this.run.meta;
  }
  get attempt(): number {
    return this.run.attempt;
  }
  get fence(): number {
    return this.run.fence;
  }

  /** The timer of the lease begins when somebody wants to hear of its end. */
  get signal(): AbortSignal {
    if (this.#stopTimer === null && !this.#isSettled) this.#watchLease();
    return this.owned.abort.signal;
  }

  readonly once: Once = (name, effect, options) => {
    const { store, owned } = this;
    const { run, contract } = owned;
    this.#once ??= makeOnce({
      ...{ store, run, clock: systemClock, shard: store.shard, policy: contract.effects, crashHook: null },
      signal: this.signal,
      isLeaseOver: (confirmedMs) => this.#isLeaseOver(confirmedMs),
    });
    return this.#once(name, effect, options);
  };

  /** Reads the payload; false: it could not be read, and the job is settled for that. */
  async parse(read: typeof parsePayload): Promise<boolean> {
    try {
      await loadPayload(this.owned.run, () => this.owned.abort.signal);
    } catch (error) {
      await this.#decide({ kind: 'threw', error });
      return false;
    }
    const payload = read(this.owned);
    if ('kind' in payload) {
      await this.#decide(payload);
      return false;
    }
    this.payload = payload.data;
    return true;
  }

  async renew(): Promise<boolean> {
    const { abort, run } = this.owned;
    const askedMs = systemClock.monotonicMs();
    const lease = { id: run.id, fence: run.fence, leaseMs: this.leaseMs, renew: 'now' } as const;
    const [held] = this.#isSettled ? [] : await this.store.extendLeases([lease]);
    if (held === undefined) {
      abort.abort(lost());
      throw lost();
    }
    const { isExtended, isCancelRequested, cancelReason, cancelRequestedBy } = held;
    if (isExtended) this.#grantedMs = askedMs;
    if (isCancelRequested)
      abort.abort(
        new AbortReason('cancelled', cancelReason ?? 'Somebody asked to cancel this run.', cancelRequestedBy),
      );
    return isExtended;
  }

  async complete(result: Json = null): Promise<SettledStatus> {
    const { run, contract } = this.owned;
    const stored = result === null ? null : checkResult(contract, result);
    return this.#write(withLogs(this.owned, { id: run.id, fence: run.fence, kind: 'complete', result: stored }));
  }

  async completeIn(tx: Queryable, result: Json = null): Promise<void> {
    const { run, contract } = this.owned;
    const { id, fence, gates } = run;
    const stored = checkResult(contract, result);
    if (!(await this.store.completeIn(tx, { id, fence, result: stored, gates, logs: logsOf(this.owned) })))
      throw lost();
  }

  fail(error: unknown): Promise<SettledStatus> {
    return this.#decide({ kind: 'threw', error });
  }

  snooze(delay: Duration): Promise<SettledStatus> {
    return this.settle(snooze(delay));
  }

  async settle(given: Outcome<unknown>): Promise<SettledStatus> {
    const outcome = readOutcome(given);
    if (outcome.kind === 'complete') return this.complete(outcome.result as Json);
    return this.#decide({ kind: 'returned', outcome });
  }

  #decide(ending: Ending): Promise<SettledStatus> {
    return this.#write(decideSettlement(factsOf(PARTS, this.owned), ending).settlement);
  }

  /** Returns the new status; where the answer to a completion was lost, the history knows it. */
  async #write(settlement: Settlement | null): Promise<SettledStatus> {
    const { id, fence, gates, terms } = this.owned.run;
    const told = settlement === null || gates === null ? settlement : { ...settlement, gates };
    let status = told === null || this.#isSettled ? null : (await this.store.settle([told]))[0]!;
    if (status === null && settlement?.kind === 'complete' && (await this.store.isCompleted(id, fence)))
      status = 'succeeded';
    if (status === null) throw lost();
    this.#isSettled = true;
    this.#stopTimer?.();
    // what fails here any worker's chore does
    if (terms?.batch !== undefined) await this.store.addUpBatches([terms.batch]).catch(() => {});
    return status;
  }

  #watchLease(): void {
    const leftMs = this.#grantedMs + this.leaseMs - systemClock.monotonicMs();
    if (leftMs <= 0) return this.owned.abort.abort(lost());
    this.#stopTimer = systemClock.after(leftMs, () => this.#watchLease());
  }

  /** Asks the database first where its last word is old. */
  async #isLeaseOver(confirmedMs: number): Promise<boolean> {
    const ageMs = systemClock.monotonicMs() - Math.max(this.#grantedMs, confirmedMs);
    if (ageMs >= Math.min(SURE_MS, this.leaseMs / 2) && !(await this.renew().catch(() => false))) return true;
    return systemClock.monotonicMs() - this.#grantedMs >= this.leaseMs;
  }
}

const lost = (): AbortReason =>
  new AbortReason('lease_lost', 'This job is not held here any more: its lease was over, or it was settled before.');
