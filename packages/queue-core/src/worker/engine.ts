import type { Catalog, JobContract } from '@duework/contracts';
import type { Clock } from '../clock.js';
import type { EmitEvent } from '../events.js';
import type { Handler, HandlerLog, IsolatedHandler, Middleware } from '../run/handler.js';
import type { FiguresTally } from '../figures/figures-tally.js';
import type { WorkerPlace } from '../ports/upkeep.js';
import type { ClaimedRun } from '../ports/runs.js';
import type { Store } from '../ports/store.js';
import type { Alarm, SpareLook } from '../wake/alarm.js';
import type { ClaimBrakes, SessionBrake } from '../claim/claim-brakes.js';
import type { CrashHook, TimeLimits } from '../run/attempt.js';
import type { OwnedRuns } from '../claim/owned-runs.js';
import type { NextInLine } from '../claim/next-in-line.js';
import type { ShutGates } from '../flow/shut-gates.js';
import type { Heartbeat } from '../leases/heartbeat.js';
import type { FailureReport } from '../report-failures.js';
import type { Backoff } from '../settle/own-backoff.js';
import type { SettlementWriter } from '../settle/write-settlements.js';
import type { EnqueuedJob, NewRun } from '../ports/producer.js';
import type { NewStep, NewWait, StepAnswer, WaitAnswer } from '../ports/steps.js';
import type { BatchWatch } from '../batches/batch-watch.js';
import type { LeasedWriter } from '../steps/write-while-leased.js';
import type { LoopWatch } from '../event-loop/watch-event-loop.js';

/** What the parts of one running worker share; made by `createWorker`. */
export interface Engine {
  readonly name: string;
  readonly place: WorkerPlace;
  /** What it did since it was last written; null: its store keeps no figures. */
  readonly figures: FiguresTally | null;
  readonly store: Store;
  readonly catalog: Catalog;
  readonly contractOf: ReadonlyMap<string, JobContract>;
  readonly handlerOf: ReadonlyMap<string, Handler | IsolatedHandler>;
  readonly backoffOf: ReadonlyMap<string, Backoff>;
  readonly middleware: Middleware | null;
  readonly queues: readonly string[];
  /** Those of them whose contracts all collect. */
  readonly collectingQueues: ReadonlySet<string>;
  readonly owned: OwnedRuns;
  readonly nextInLine: NextInLine;
  readonly shutGates: ShutGates;
  readonly writer: SettlementWriter;
  readonly batches: BatchWatch;
  readonly steps: LeasedWriter<NewStep, StepAnswer>;
  readonly waits: LeasedWriter<NewWait, WaitAnswer>;
  /** null: the lease was over before it was written. */
  readonly children: LeasedWriter<NewRun, EnqueuedJob | null>;
  readonly leases: Heartbeat;
  /** How often the heartbeat checks the leases. */
  readonly heartbeatMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly emit: EmitEvent;
  readonly report: FailureReport;
  readonly logOf: (run: ClaimedRun) => HandlerLog;
  /** The types of which a result was left out, and somebody was told. */
  readonly toldResults: Set<string>;
  /** What a handler logs is kept with an attempt that fails. */
  readonly keepsLogs: boolean;
  readonly graceMs: number;
  readonly limits: TimeLimits;
  readonly pollIntervalMs: number;
  /** Aborts when the stop can wait no longer: what still runs is released at once. */
  readonly hurrying: AbortController;
  readonly loop: LoopWatch;
  readonly brakes: ClaimBrakes;
  readonly session: SessionBrake;
  /** Rings when a run may be due. */
  readonly alarm: Alarm;
  readonly spareLook: SpareLook;
  /** Rings when a schedule may be due. */
  readonly tickAlarm: Alarm;
  readonly crashHook: CrashHook | null;
  /** `isOfAnyRun`: the process fails by an error that came from no attempt that is known. */
  readonly fault: { isOfAnyRun: boolean };
}
