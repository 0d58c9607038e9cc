import { isLockTimeout, isRefusal } from './engine/read-sqlstate.js';
import type { EnqueuedJob, NewRun } from './ports/producer.js';

const MAX_GROUP = 500;

interface Waiting {
  readonly run: NewRun;
  readonly resolve: (job: EnqueuedJob) => void;
  readonly reject: (error: unknown) => void;
  /** Called when its statement begins. */
  readonly begin: () => void;
}

export interface GroupOptions {
  /** Writes runs in one statement, all or none. */
  readonly write: (runs: readonly NewRun[]) => Promise<readonly EnqueuedJob[]>;
  /** Writes a run of a group that was not written, beside the group's other runs. Absent: `write` does, run by run. */
  readonly writeApart?: (run: NewRun) => Promise<EnqueuedJob>;
  /** Called when no run waits any more. */
  readonly onIdle?: () => void;
}

/**
 * Writes the runs of calls that arrive together in one statement, and each call waits for its commit: while one
 * statement is on its way, the next runs gather. A group that the database refuses is written run by run, so that a bad
 * run fails alone.
 *
 * Runs with different idempotency keys belong in one group only where `write` does not wait for a key that an open
 * transaction has taken, but throws a lock timeout, and `writeApart` waits for it: else one run makes all others wait.
 */
export class EnqueueGroup {
  readonly #waiting = new Set<Waiting>();
  #isWriting = false;

  constructor(private readonly options: GroupOptions) {}

  /** Throws the signal's reason when it aborts before the statement of this run has begun; later the answer decides. */
  enqueue(run: NewRun, signal?: AbortSignal): Promise<EnqueuedJob> {
    return new Promise((resolve, reject) => {
      const waiting = { run, resolve, reject, begin: (): void => signal?.removeEventListener('abort', giveUp) };
      const giveUp = (): void => {
        this.#waiting.delete(waiting);
        reject(signal!.reason as Error);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(waiting);
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    // let the calls of this turn of the event loop gather
    await new Promise<void>((resolve) => process.nextTick(resolve));
    while (this.#waiting.size > 0) await this.#write(this.#take());
    this.#isWriting = false;
    this.options.onIdle?.();
  }

  /** Takes the next calls, which their signals can no longer withdraw. */
  #take(): Waiting[] {
    const group: Waiting[] = [];
    for (const waiting of this.#waiting) {
      this.#waiting.delete(waiting);
      waiting.begin();
      if (group.push(waiting) === MAX_GROUP) break;
    }
    return group;
  }

  async #write(group: readonly Waiting[]): Promise<void> {
    const { write, writeApart } = this.options;
    try {
      const jobs = await write(group.map(({ run }) => run));
      group.forEach(({ resolve }, index) => resolve(jobs[index]!));
    } catch (error) {
      if (writeApart !== undefined && (isLockTimeout(error) || isRefusal(error)))
        for (const { run, resolve, reject } of group) writeApart(run).then(resolve, reject);
      else if (group.length > 1 && isRefusal(error)) for (const waiting of group) await this.#write([waiting]);
      else for (const { reject } of group) reject(error);
    }
  }
}
