import { isRefusal } from './engine/read-sqlstate.js';
import type { EnqueuedJob, NewRun } from './ports/producer.js';
import type { Queryable } from './sql/sql.js';
import { writeRuns } from './store/write-runs.js';

const MAX_GROUP = 500;

interface Waiting {
  readonly run: NewRun;
  readonly resolve: (job: EnqueuedJob) => void;
  readonly reject: (error: unknown) => void;
  /** Says that its statement begins. */
  readonly begin: () => void;
}

/**
 * Writes the runs of calls that arrive together in one statement, each call still waiting for its own commit: while one
 * statement is on its way, the next ones gather. What the database refuses is tried one by one, so that a bad one fails alone.
 *
 * Runs with an idempotency key do not belong here: one whose key another transaction is just taking would make all wait.
 */
export class EnqueueGroup {
  readonly #waiting = new Set<Waiting>();
  #isWriting = false;

  constructor(private readonly db: Queryable) {}

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
  }

  /** The next calls, which no signal takes back any more. */
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
    try {
      const jobs = await writeRuns(
        this.db,
        group.map(({ run }) => run),
      );
      group.forEach(({ resolve }, index) => resolve(jobs[index]!));
    } catch (error) {
      if (group.length > 1 && isRefusal(error)) for (const waiting of group) await this.#write([waiting]);
      else for (const { reject } of group) reject(error);
    }
  }
}
