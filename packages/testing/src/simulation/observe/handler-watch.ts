import type { JobContext } from '@duework/queue-core';
import type { MemoryRun } from '../../memory/tables/memory-run.js';
import type { SimulatedProcess } from '../world/simulated-process.js';

export interface RunningHandler {
  readonly process: SimulatedProcess;
  readonly context: JobContext;
  /**
   * The handler completes its run itself, so a missing row does not mean a lost lease, and the handler is not aborted.
   */
  isCompleting: boolean;
  /** It waits, so its attempt may be over without its knowing. */
  isWaiting: boolean;
  readonly end: () => void;
}

/** How long a worker that was resumed may need to check its leases. */
const NOT_LOOKED_MS = 5;

/** Knows who claimed which run, and which handlers run. */
export class HandlerWatch {
  readonly #claims = new Map<string, SimulatedProcess>();
  readonly #started = new Set<string>();
  readonly #handlers = new Map<string, Set<RunningHandler>>();

  constructor(private readonly violate: (promise: string, facts: string) => void) {}

  /** A claim took effect. The worker that lost that run before has been informed. */
  claimed({ id, fence }: MemoryRun, caller: SimulatedProcess): void {
    this.#claims.set(`${id} ${fence}`, caller);
    for (const { process, context, isCompleting, isWaiting } of this.#handlers.get(id) ?? []) {
      if (
        isCompleting ||
        isWaiting ||
        process.isDead ||
        process.isStopped ||
        process.isUnsure ||
        process.options.time.monotonicMs() - process.resumedMs < NOT_LOOKED_MS
      )
        continue;
      if (!context.signal.aborted)
        this.violate(
          'a handler is told that its lease is lost before another worker may start',
          `job ${id}: ${process.name} works on fence ${context.fence}, and ${caller.name} claims it`,
        );
    }
  }

  /** A handler of `process` was called; `run` is the row as it is now. */
  starts(process: SimulatedProcess, context: JobContext, run: MemoryRun): RunningHandler {
    const { id, fence } = context.run;
    const claim = `${id} ${fence}`;
    if (this.#claims.get(claim) !== process)
      this.violate('a handler runs for the worker that claimed its run only', `job ${claim} on ${process.name}`);
    if (this.#started.has(claim)) this.violate('one claim starts one handler', `job ${id} fence ${fence}`);
    if (run.status !== 'running' || run.fence !== fence)
      this.violate(
        'no handler is started on a lease that is over',
        `job ${id} fence ${fence} on ${process.name}; it is ${run.status}, fence ${run.fence}`,
      );
    this.#started.add(claim);
    const ofRun = this.#handlers.get(id) ?? new Set<RunningHandler>();
    const running: RunningHandler = {
      process,
      context,
      isCompleting: false,
      isWaiting: false,
      end: () => void ofRun.delete(running),
    };
    this.#handlers.set(id, ofRun.add(running));
    return running;
  }

  /** How many handlers of a process run. */
  countOf(process: SimulatedProcess): number {
    let count = 0;
    for (const ofRun of this.#handlers.values()) for (const handler of ofRun) if (handler.process === process) count++;
    return count;
  }
}
