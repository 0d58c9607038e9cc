import type { Options } from '../read-options.js';
import type { ClientKind, ExitFacts, HistoryEvent } from './history-events.js';
import type { Warned } from './warned.js';

/** One line of the ledger of effects: this effect happened, at this moment. */
export interface Effect {
  readonly at: number;
  readonly run: string;
  readonly type: string;
  readonly n: number;
  readonly key: string;
  readonly fence: number;
  readonly isRepeat: boolean;
}

/** One change of a run that the witness saw; null: the row did not exist before, or does not exist afterwards. */
export interface Change {
  readonly at: number;
  readonly tx: string;
  readonly run: string;
  readonly place: 'live' | 'final';
  readonly from: string | null;
  readonly to: string | null;
  readonly oldFence: number | null;
  readonly newFence: number | null;
  readonly oldWorker: string | null;
  readonly newWorker: string | null;
}

/** Where a run with gates stands: at a gate, or let in (null). */
export interface GateState {
  readonly status: string;
  readonly heldBy: string | null;
  /** It is due from then on. */
  readonly runAt: number;
}

/** One change of a run with gates; null: the row did not exist before, or does not exist afterwards. */
export interface GateChange {
  /** Since when others can see it: the commit of its transaction. */
  readonly at: number;
  /** When its statement, or its transaction, began. */
  readonly beganAt: number;
  readonly tx: string;
  readonly run: string;
  readonly from: Pick<GateState, 'status' | 'heldBy'> | null;
  readonly to: GateState | null;
  /** Of a new row: its gates, and how much it takes at each. */
  readonly gates: readonly { readonly key: string; readonly units: number }[] | null;
}

/** What holds of a rule. */
export interface GateRule {
  readonly name: string;
  readonly max: number | null;
  readonly unitMs: number | null;
  readonly burst: number | null;
}

export interface FinalJob {
  readonly run: string;
  readonly type: string;
  readonly status: string;
  readonly n: number | null;
  readonly schedule: string | null;
  readonly key: string | null;
}

export interface DecidedDueTime {
  readonly key: string;
  readonly everyMs: number;
  readonly dueMs: number;
  readonly outcome: string;
  readonly reason: string | null;
  readonly run: string | null;
}

/** What became of a step, as the witness saw it; null: it was not there before. */
export interface StepChange {
  readonly run: string;
  readonly name: string;
  readonly from: string | null;
  readonly to: string;
  readonly hasChanged: boolean;
}

/** A batch as its row stands at the end, beside what its jobs are. */
export interface FinalBatch {
  readonly id: string;
  readonly isSettled: boolean;
  /** By its row: how many jobs there are, and how many are what. */
  readonly told: Counts;
  /** By the history of its jobs. */
  readonly found: Counts;
  /** Of how many jobs the witness saw the death, whatever became of them later. */
  readonly died: number;
  /** The moments for which a job was enqueued, once for each such job. */
  readonly callbacks: readonly string[];
}
type Counts = Readonly<Record<'jobs' | 'succeeded' | 'dead' | 'cancelled', number>>;

/** A signal that was sent, or received, or is kept: of which trip, with which amount. */
export interface Payment {
  readonly n: number;
  readonly amount: number;
}

/** What is known of workflows and batches. */
export interface Workflows {
  /** Of the runs that are watched in detail, in the order in which it happened. */
  readonly stepChanges: readonly StepChange[];
  /** Of the same runs: what the step in their transaction has written there. */
  readonly bookings: readonly { readonly run: string }[];
  /** What trips have returned. */
  readonly returned: readonly (Payment & { readonly run: string })[];
  readonly sent: readonly Payment[];
  readonly received: readonly Payment[];
  readonly kept: readonly Payment[];
  /** The callers' own rows. */
  readonly begun: readonly { readonly id: string }[];
  readonly batches: readonly FinalBatch[];
}

/** The resources of a worker process; null where there is no /proc. */
export interface ProcessGauge {
  readonly name: string;
  readonly rssMb: number | null;
  readonly files: number | null;
  readonly threads: number | null;
}
export interface Gauge {
  readonly at: number;
  readonly workers: readonly ProcessGauge[];
  readonly live?: number;
  readonly liveMb?: number;
  readonly historyMb?: number;
}

/** What faults cost a product whose slots are all busy; see measure-load.ts. */
export interface Load {
  readonly terminated: number;
  readonly restart: readonly { readonly mode: string; readonly share: readonly number[] }[];
}

/** What was written down, or is in the tables at the end. */
export interface Collected extends Workflows {
  readonly events: readonly HistoryEvent[];
  readonly effects: readonly Effect[];
  readonly changes: readonly Change[];
  /** Of the runs with gates, in the order in which they were committed. */
  readonly gateChanges: readonly GateChange[];
  readonly gateRules: readonly GateRule[];
  readonly jobs: readonly FinalJob[];
  readonly orders: readonly { readonly n: number }[];
  readonly payments: readonly { readonly n: number; readonly run: string }[];
  readonly dueTimes: readonly DecidedDueTime[];
  readonly leases: readonly { readonly run: string; readonly worker: string }[];
}

/** How the queue was drained after the faults. */
export interface Drained {
  readonly live: number;
  readonly tookMs: number;
  /** Of some that are left: why. */
  readonly left: readonly string[];
  readonly unknown: { readonly happened: number; readonly repeated: number };
}

/** Everything that is known about a run of the lab; the checks read nothing else. */
export interface Evidence extends Collected {
  readonly options: Pick<Options, 'isSoak' | 'isQuick' | 'isWhole' | 'faults' | 'isLoadMeasured'>;
  /** The ways to the database for which there were workers. */
  readonly clients: readonly ClientKind[];
  readonly isPooled: boolean;
  readonly begunMs: number;
  readonly tookMs: number;
  readonly drained: Drained;
  readonly load: Load | null;
  readonly ended: readonly (ExitFacts & { readonly worker: string })[];
  readonly sessions: readonly { readonly name: string; readonly count: number }[];
  readonly gauges: readonly Gauge[];
  /** Until the last process has stopped. */
  readonly warnings: readonly Warned[];
}
