import { EnqueueGroup } from './group-enqueues.js';
import type { EnqueuedJob, NewRun } from './ports/producer.js';
import type { Queryable } from './sql/sql.js';
import { writeRuns } from './store/write-runs.js';

/**
 * Lets the calls that arrive together share statements: those without an idempotency key one, and those of one key one.
 * A key that an open transaction has taken so makes only calls with that key wait, and they hold one connection in all.
 *
 * A call never gets the answer of a statement that had begun before it: an operator may have freed the key since.
 */
export class EnqueueGroups {
  readonly #unkeyed: EnqueueGroup;
  readonly #byKey = new Map<string, EnqueueGroup>();

  constructor(private readonly db: Queryable) {
    this.#unkeyed = new EnqueueGroup((runs) => writeRuns(db, runs));
  }

  /** Throws the signal's reason when it aborts before the statement of this run has begun; later the answer decides. */
  enqueue(run: NewRun, signal?: AbortSignal): Promise<EnqueuedJob> {
    return this.#groupOf(run).enqueue(run, signal);
  }

  #groupOf({ type, key }: NewRun): EnqueueGroup {
    if (key === null) return this.#unkeyed;
    // no type has a blank in it
    const name = `${type} ${key}`;
    let group = this.#byKey.get(name);
    if (group === undefined) {
      group = new EnqueueGroup(
        (runs) => writeOne(this.db, runs),
        () => this.#byKey.delete(name),
      );
      this.#byKey.set(name, group);
    }
    return group;
  }
}

/** Writes the first of some runs with one key: the others are its duplicates, whether or not it was one itself. */
async function writeOne(db: Queryable, runs: readonly NewRun[]): Promise<EnqueuedJob[]> {
  const [job] = await writeRuns(db, runs.slice(0, 1));
  return runs.map((_run, index) => (index === 0 ? job! : { ...job!, isDeduplicated: true }));
}
