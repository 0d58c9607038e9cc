/**
 * The life of one worker: it starts once and stops once, whoever asks.
 *
 * `stop` lets running jobs end until the deadline and releases the rest, `hurry` releases everything now. A stop may
 * come while it starts: then whatever has begun is stopped, and nothing more begins. `ended` resolves when its
 * connections and its port are closed, or when something hangs for too long.
 */
import type { Catalog } from '@duework/contracts';
import { awaitDatabase } from '@duework/database';
import { systemClock as clock } from '@duework/queue-core';
import { waitAtMost } from '@duework/queue-core/handling';
import { tellStarted, type AssembleOptions } from './assemble-worker.js';
import { openPort, type OpenedPort } from './http/open-port.js';
import type { Probes, WorkerState } from './http/open-probes.js';
import { runOnce } from './run-once.js';
import type { WorkPlace } from './work-on/work-place.js';

/**
 * After the deadline handlers get a grace and settlements are written; after this margin the worker is given up,
 * whatever hangs.
 */
const STOP_MARGIN_MS = 10_000;
const DISCONNECT_MS = 2_000;
/** How long a stop waits for a start that is on its way. */
const MAX_START_WAIT_MS = 5_000;

export interface RuntimeOptions<TCatalog extends Catalog, TAdded extends object> extends AssembleOptions<
  TCatalog,
  TAdded
> {
  /** The shard that its database has to be; null: whichever it is. */
  readonly shard: string | null;
  /** Its probes are somebody else's to serve. */
  readonly isPortless?: true;
  /** Called when something still hangs long after the deadline. */
  readonly onStuck: () => void;
}

export interface PlaceOptions<TCatalog extends Catalog, TAdded extends object> extends RuntimeOptions<
  TCatalog,
  TAdded
> {
  /** The database was dropped and made anew: what the worker remembers of the old one would fit other jobs in it. */
  readonly onReplaced: () => void;
}

/** The exit code of a worker whose database was made anew. */
export const REPLACED_CODE = 5;

export interface Runtime {
  /**
   * Resolves when it claims, or was stopped meanwhile. Rejects with a coded error, one line with its fix, having closed
   * everything.
   */
  start(): Promise<void>;
  stop(code: number): void;
  hurry(code: number): void;
  /** A fault after which the state of the process is unknown: running jobs may end, then a supervisor starts it anew. */
  fail(fault: string, error: unknown): void;
  /** Resolves with the exit code. */
  readonly ended: Promise<number>;
}

/** The life of a worker on one database, or on one dedicated queue. */
export interface PlacedRuntime extends Runtime {
  /** Once it is asked, its metrics are registered. */
  readonly probes: () => Probes;
}

/** @throws HandlersError when a handler is missing, or of the wrong kind */
export function createRuntime<TCatalog extends Catalog, TAdded extends object>(
  options: RuntimeOptions<TCatalog, TAdded>,
  workOn: (options: PlaceOptions<TCatalog, TAdded>) => WorkPlace,
): PlacedRuntime {
  const { given, settings, log, once } = options;
  const { workerName: name } = settings;
  const place = workOn({ ...options, onReplaced: () => void replaced() });
  const { worker } = place;
  let opened: OpenedPort | null = null;
  let state: WorkerState = 'starting';
  let exitCode = 0;
  /** null: it has not begun to start. */
  let workerStarts: Promise<void> | null = null;
  /** Aborts when the worker stops. */
  const told = new AbortController();
  let end: (code: number) => void = () => {};
  const ended = new Promise<number>((resolve) => (end = resolve));

  async function close(): Promise<void> {
    await waitAtMost(clock, DISCONNECT_MS, place.close());
    opened?.close();
  }

  async function stopWorker(): Promise<void> {
    if (workerStarts === null) return;
    await waitAtMost(
      clock,
      MAX_START_WAIT_MS,
      workerStarts.catch(() => {}),
    );
    await worker.stop({ deadlineMs: settings.shutdownDeadlineMs });
  }

  /** @param lastCode asked when every job has ended and was told of */
  async function stop(code: number, lastCode: () => number = () => 0): Promise<void> {
    exitCode = Math.max(exitCode, code);
    if (state === 'draining') {
      exitCode = Math.max(exitCode, lastCode());
      return;
    }
    state = 'draining';
    told.abort();
    const cancel = clock.after(settings.shutdownDeadlineMs + STOP_MARGIN_MS, () => {
      log.fatal({}, 'worker.stuck');
      options.onStuck();
      end(1);
    });
    try {
      await stopWorker();
      exitCode = Math.max(exitCode, lastCode());
      await close();
    } catch (error) {
      log.fatal({ fault: 'stop', err: error }, 'process.failed');
      exitCode = Math.max(exitCode, 1);
    }
    cancel();
    end(exitCode);
  }

  function fail(fault: string, error: unknown): void {
    log.fatal({ fault, err: error }, 'process.failed');
    worker.fail(error);
    void stop(1);
  }

  async function replaced(): Promise<void> {
    if (told.signal.aborted) return;
    log.fatal({ fix: 'Start it again.' }, 'database.replaced');
    worker.loseAll();
    await stop(REPLACED_CODE);
  }

  let probes: Probes | null = null;
  const readProbes = (): Probes => (probes ??= place.openProbes(() => state));

  async function listen(): Promise<number | null> {
    // wake-ups may overlap, and would compete for the port
    if (once !== null || options.isPortless === true || settings.workerPort === null) return null;
    opened = await openPort(settings.workerPort, { host: settings.host, probes: readProbes(), log });
    return opened.port;
  }

  /** All that a start asks of the database: any of it may meet one that is not there yet, or has no time. */
  async function startWorker(): Promise<void> {
    try {
      await place.check();
      if (!told.signal.aborted) await place.prepare();
      if (!told.signal.aborted) await (workerStarts = worker.start());
    } catch (error) {
      workerStarts = null;
      throw place.describeStartError(error);
    }
  }

  async function begin(): Promise<void> {
    // probes are answered while it waits
    const port = await listen();
    await awaitDatabase(startWorker, {
      waitMs: settings.databaseWaitMs,
      onWait: ({ problem, fix: remedy }, waitMs) => log.warn({ problem, remedy, waitMs }, 'database.awaited'),
      signal: told.signal,
    });
    if (told.signal.aborted) return;
    state = 'running';
    tellStarted(given, log, { name, port, stop: () => void stop(0) });
    if (once !== null) void wakeOnce(once.maxRuntimeMs);
  }

  async function start(): Promise<void> {
    try {
      await begin();
    } catch (error) {
      // a stop closes the connections that a start is waiting for
      if (!told.signal.aborted) {
        await close();
        throw place.describeStartError(error);
      }
    }
    // the port may have been opened after the stop had closed what there was
    if (told.signal.aborted) opened?.close();
  }

  /** One wake-up: runs what is due now and stops. */
  async function wakeOnce(maxRuntimeMs: number): Promise<void> {
    try {
      const result = await runOnce({
        tick: () => place.tick(),
        hasWork: () => place.hasWork(),
        maxRuntimeMs,
        signal: told.signal,
        clock,
      });
      // the queue says that nothing is left a moment before this process learns how the last job ended
      await stop(0, () => {
        const dead = place.countDead();
        log.info({ result, dead }, 'once.ended');
        return result === 'time_over' ? 3 : dead > 0 ? 4 : 0;
      });
    } catch (error) {
      // a statement that is on its way when the worker stops may find its connection closed
      if (!told.signal.aborted) fail('once', error);
    }
  }

  function hurry(code: number): void {
    exitCode = code;
    if (workerStarts !== null) void worker.stop({ deadlineMs: 0 });
  }

  return { start, stop: (code) => void stop(code), hurry, fail, ended, probes: readProbes };
}
