import type { Catalog, JobContract } from '@duework/contracts';
import type { Clock } from '../clock.js';
import type { EmitEvent } from '../events.js';
import type { Handler, HandlerLog } from '../handler.js';
import type { ClaimedRun, Store } from '../store/store.js';
import type { HeldRuns } from './held-runs.js';
import type { FailureReport } from './report-failures.js';
import type { Settler } from './settle.js';

/** What the parts of one running worker share; made by `createWorker`. */
export interface Engine {
  readonly name: string;
  readonly store: Store;
  readonly catalog: Catalog;
  readonly contractOf: ReadonlyMap<string, JobContract>;
  readonly handlerOf: ReadonlyMap<string, Handler>;
  readonly queues: readonly string[];
  readonly held: HeldRuns;
  readonly settler: Settler;
  readonly clock: Clock;
  readonly random: () => number;
  readonly emit: EmitEvent;
  readonly report: FailureReport;
  readonly logOf: (run: ClaimedRun) => HandlerLog;
  readonly graceMs: number;
  readonly pollIntervalMs: number;
}
