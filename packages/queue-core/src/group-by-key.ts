import { EnqueueGroup } from './group-enqueues.js';
import type { EnqueuedJob, NewRun } from './ports/producer.js';
import type { Queryable } from './sql/sql.js';
import { writeRuns } from './store/write-runs.js';

/**
 * Lets the calls that arrive together share statements: those without an idempotency key one, and those of one key one.
 * So a key that an open transaction has taken makes only calls with that key wait, and they hold one connection in all.
 *
 * Where there is a `noWait` client, calls of different keys share a statement, too: it gives up at a key that an
 * open transaction has taken, and then each key is written by itself. While a key is being waited for, further calls
 * with it do not come into a shared statement, so that they delay the others once and not again and again.
 *
 * A call never gets the answer of a statement that had begun before it: an operator may have freed the key since.
 */
export class EnqueueGroups {
  readonly #unkeyed: EnqueueGroup;
  readonly #shared: EnqueueGroup | null;
  readonly #byKey = new Map<string, EnqueueGroup>();

  constructor(
    private readonly db: Queryable,
    noWait?: Queryable,
  ) {
    this.#unkeyed = new EnqueueGroup({ write: (runs) => writeRuns(db, runs) });
    this.#shared =
      noWait === undefined
        ? null
        : new EnqueueGroup({
            write: (runs) => writeRuns(noWait, runs),
            writeApart: (run) => this.#groupOf(nameOf(run)).enqueue(run),
          });
  }

  /** Throws the signal's reason when it aborts before the statement of this run has begun; later the answer decides. */
  enqueue(run: NewRun, signal?: AbortSignal): Promise<EnqueuedJob> {
    if (run.key === null) return this.#unkeyed.enqueue(run, signal);
    const name = nameOf(run);
    // guard: held-key-apart
    if (this.#byKey.has(name)) return this.#groupOf(name).enqueue(run, signal);
    // guard end: held-key-apart
    return (this.#shared ?? this.#groupOf(name)).enqueue(run, signal);
  }

  #groupOf(name: string): EnqueueGroup {
    let group = this.#byKey.get(name);
    if (group === undefined) {
      group = new EnqueueGroup({
        write: (runs) => writeFirst(this.db, runs),
        onIdle: () => this.#byKey.delete(name),
      });
      this.#byKey.set(name, group);
    }
    return group;
  }
}

/** No job type has a blank in it. */
const nameOf = ({ type, key }: NewRun): string => `${type} ${key}`;

/** Writes the first of some runs with one key: the others are its duplicates, whether or not it was one itself. */
async function writeFirst(db: Queryable, runs: readonly NewRun[]): Promise<EnqueuedJob[]> {
  const [job] = await writeRuns(db, runs.slice(0, 1));
  return runs.map((_run, index) => (index === 0 ? job! : { ...job!, isDeduplicated: true }));
}
