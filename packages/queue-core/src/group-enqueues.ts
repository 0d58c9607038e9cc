import { isRefusal } from './engine/read-sqlstate.js';
import type { EnqueuedJob, NewRun } from './ports/producer.js';
import type { Queryable } from './sql/sql.js';
import { writeRuns } from './store/write-runs.js';

const MAX_GROUP = 500;

interface Waiting {
  readonly run: NewRun;
  readonly resolve: (job: EnqueuedJob) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes the runs of calls that arrive together in one statement, each call still waiting for its own commit: while one
 * statement is on its way, the next ones gather. What the database refuses is tried one by one, so that a bad one fails alone.
 *
 * Runs with an idempotency key do not belong here: one whose key another transaction is just taking would make all wait.
 */
export class EnqueueGroup {
  readonly #waiting: Waiting[] = [];
  #isWriting = false;

  constructor(private readonly db: Queryable) {}

  enqueue(run: NewRun): Promise<EnqueuedJob> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ run, resolve, reject });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    // let the calls of this turn of the event loop gather
    await new Promise<void>((resolve) => process.nextTick(resolve));
    while (this.#waiting.length > 0) await this.#write(this.#waiting.splice(0, MAX_GROUP));
    this.#isWriting = false;
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
