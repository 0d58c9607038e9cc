import type { Catalog, Duration } from '@duework/contracts';
import type { Backoffs, EmitEvent, Handlers, Middleware, OffloadOptions, Transactable } from '@duework/queue-core';
import type { ScheduleRequest } from '@duework/schedules';
import type { MetricsRegistry } from './metrics/metrics-registry.js';
import type { SettingOptions } from './settings/settings.js';
import type { WorkerLog } from './logs/worker-log.js';

/** `maxRuntime`: claim no more after this long; default 50s. */
export type OnceOption = boolean | { readonly maxRuntime?: Duration };

/** A worker that has started. */
export interface StartedWorker {
  readonly name: string;
  /** Port of its probes and metrics; null: none. */
  readonly port: number | null;
  /** Stops it as the first SIGTERM does; `runWorker` resolves when it has stopped. */
  stop(): void;
}

/** Options of `runWorker`, beside those that are also variables. */
export interface RunWorkerOptions<TCatalog extends Catalog, TAdded extends object = object> extends SettingOptions {
  /** The types that this worker runs. */
  readonly catalog: TCatalog;
  /** One for each type of the catalog. */
  readonly handlers: Handlers<TCatalog, TAdded>;
  /** For some types, when a failed attempt is retried, by the attempt and its error; the others do as their contract says. */
  readonly backoffs?: Backoffs<TCatalog>;
  /** Runs around every handler, and may add to its context: a database, a tenant, a trace. */
  readonly middleware?: Middleware<TAdded>;
  /**
   * All schedules that the code declares: written at the start, and those of this program (`programName`) that are no
   * longer there are deleted. Left out: the schedules stay as they are.
   */
  readonly schedules?: readonly ScheduleRequest[];
  /**
   * Raised whenever `schedules` changes, so that an older program that starts again cannot undo the change. Default: 1.
   */
  readonly schedulesVersion?: number;
  /**
   * A Prisma client for the worker's own statements, through its `$queryRaw`; give its adapter `prismaPool`. It must
   * use the database of `databaseUrl`, in UTC. You close it. LISTEN and leases stay on `pg`. Default: `pg` for all, at
   * most four connections.
   */
  readonly prisma?: Transactable;
  /**
   * Where payloads and results go that are too large for a row, as `setOffload` takes it; a worker also removes what no job
   * needs. Default: what the program gave to `setOffload`.
   */
  readonly offload?: OffloadOptions;
  /** The version of the program, which is shown with its workers: a tag, or the hash of a commit. */
  readonly codeVersion?: string;
  /** A logger of pino's shape. Default: JSON lines on stdout, in pino's shape. */
  readonly log?: WorkerLog;
  /** Keeps a handler's last logs with each failed attempt, up to 8,000 characters; default false. */
  readonly keepLogs?: boolean;
  /** A registry of prom-client with your own metrics. Default: a new one, with those of the process. */
  readonly registry?: MetricsRegistry;
  /** Gets every event, beside log and metrics. It must not throw. */
  readonly onEvent?: EmitEvent;
  /** Called once the worker claims, with its name, its port and a way to stop it. */
  readonly onStarted?: (worker: StartedWorker) => void;
  /** One wake-up: runs what is due now and ends, as `--once` does. */
  readonly once?: OnceOption;
  /** The arguments of the program. Default: those of the process, none if `handleSignals` is false. */
  readonly argv?: readonly string[];
  /** Stops the worker when it aborts, as the first SIGTERM does. */
  readonly signal?: AbortSignal;
  /**
   * `false`: the process is not the worker's own. It then installs no handlers of signals and faults, writes nothing to
   * stderr, leaves the exit code alone, and an error on which it cannot start is thrown. Default: true.
   */
  readonly handleSignals?: boolean;
}
