import { pause, type Clock } from '../../clock.js';
import type { HeldLease, LeaseToExtend } from '../../sql/extend-leases.js';
import type { Lease, LeaseNotice } from './lease-keeper.js';

/**
 * Renews leases, each when a third of it is over, and asks at every beat whether they are still ours and whether somebody
 * wants one cancelled.
 *
 * Invariant: `lost` is told no later than the database would give the run to another worker, because the monotonic clock
 * counts from before the statement that granted the lease was sent. A beat that hangs delays the next one, but not the
 * loss of what it did not renew.
 */
export interface BeatOptions {
  readonly extend: (batch: readonly LeaseToExtend[]) => Promise<HeldLease[]>;
  readonly clock: Clock;
  readonly intervalMs: number;
  readonly notify: (notice: LeaseNotice) => void;
}

export class LeaseBeat {
  readonly #leases = new Map<string, Lease>();
  #beating: Promise<void> | null = null;
  #isFailing = false;

  constructor(private readonly options: BeatOptions) {}

  hold(lease: Lease): void {
    this.#leases.set(lease.id, lease);
  }

  letGo({ id, fence }: Pick<Lease, 'id' | 'fence'>): void {
    if (this.#leases.get(id)?.fence === fence) this.#leases.delete(id);
  }

  /** Beats until `signal` aborts. */
  async beatUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(this.options.clock, this.options.intervalMs, signal);
      if (!signal.aborted) this.beat();
    }
  }

  /** One beat now; none while the last one has not been answered. */
  beat(): void {
    if (this.#leases.size === 0) return;
    this.#beating ??= this.#askDatabase().finally(() => (this.#beating = null));
    this.#loseExpired();
  }

  async #askDatabase(): Promise<void> {
    const { extend, clock, notify } = this.options;
    const askedMs = clock.monotonicMs();
    const asked = [...this.#leases.values()];
    try {
      const answers = new Map((await extend(asked.map((lease) => toExtend(lease, askedMs)))).map((held) => [held.id, held]));
      if (this.#isFailing) notify({ kind: 'recovered' });
      this.#isFailing = false;
      for (const lease of asked) this.#apply(lease, answers.get(lease.id), askedMs);
    } catch (error) {
      this.#isFailing = true;
      notify({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
  }

  #apply(lease: Lease, held: HeldLease | undefined, askedMs: number): void {
    const { id, fence } = lease;
    // let go of while this beat was on its way
    const current = this.#leases.get(id);
    if (current?.fence !== fence) return;
    if (held === undefined) return this.#lose(lease);
    if (held.is_extended) {
      this.#leases.set(id, { ...current, grantedMs: askedMs });
      this.options.notify({ kind: 'extended', id, fence, grantedMs: askedMs });
    }
    if (held.is_cancel_requested) {
      this.options.notify({ kind: 'cancel_requested', id, fence, by: held.cancel_requested_by, reason: held.cancel_reason });
    }
  }

  /** The database has not confirmed these leases, and they would be over before the next look at them. */
  #loseExpired(): void {
    const nextLookMs = this.options.clock.monotonicMs() + this.options.intervalMs;
    for (const lease of this.#leases.values()) if (nextLookMs - lease.grantedMs >= lease.leaseMs) this.#lose(lease);
  }

  #lose({ id, fence }: Lease): void {
    this.letGo({ id, fence });
    this.options.notify({ kind: 'lost', id, fence });
  }
}

function toExtend({ id, fence, leaseMs, grantedMs, keepUntilMs }: Lease, nowMs: number): LeaseToExtend {
  return { id, fence, lease_ms: leaseMs, is_due: nowMs - grantedMs >= leaseMs / 3 && nowMs < keepUntilMs };
}
