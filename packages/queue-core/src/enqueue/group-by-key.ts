import { CallGroup } from './group-calls.js';
import type { EnqueuedJob, NewRun } from '../ports/producer.js';
import type { Queryable } from '@duework/sql';
import { tryWriteRuns, writeRuns } from './write-runs.js';

type Group = CallGroup<NewRun, EnqueuedJob>;

const MAX_GROUP = 500;

/**
 * Lets the calls that arrive together share statements, and each waits for its commit: those without an idempotency key
 * share one, and those of one key share one. So a key that an open transaction has taken makes only calls with that key
 * wait, and they hold one connection in all.
 *
 * Where there is a `noWait` client, calls of different keys share a statement, too: it gives up at a key that an open
 * transaction has taken, and then each key is written by itself. While a key is being waited for, further calls with it
 * do not come into a shared statement, so that they delay the others once and not again and again.
 */
export class EnqueueGroups {
  readonly #unkeyed: Group;
  readonly #shared: Group | null;
  readonly #byKey = new Map<string, Group>();

  constructor(
    private readonly db: Queryable,
    noWait?: Queryable,
  ) {
    this.#unkeyed = new CallGroup({ send: (runs) => writeRuns(db, runs), max: MAX_GROUP });
    this.#shared =
      noWait === undefined
        ? null
        : new CallGroup({
            send: (runs) => tryWriteRuns(noWait, runs),
            sendApart: (run) => this.#groupOf(nameOf(run)).call(run),
            max: MAX_GROUP,
          });
  }

  /** Throws the signal's reason when it aborts before the statement of this run has begun; later the answer decides. */
  enqueue(run: NewRun, signal?: AbortSignal): Promise<EnqueuedJob> {
    if (run.key === null) return this.#unkeyed.call(run, signal);
    const name = nameOf(run);
    if (this.#byKey.has(name)) return this.#groupOf(name).call(run, signal);
    return (this.#shared ?? this.#groupOf(name)).call(run, signal);
  }

  #groupOf(name: string): Group {
    let group = this.#byKey.get(name);
    if (group === undefined) {
      group = new CallGroup({
        send: (runs) => writeFirst(this.db, runs),
        max: MAX_GROUP,
        onIdle: () => this.#byKey.delete(name),
      });
      this.#byKey.set(name, group);
    }
    return group;
  }
}

/** No job type has a blank in it. */
const nameOf = ({ type, key }: NewRun): string => `${type} ${key}`;

/**
 * Writes the first of some runs with one key: the others are its duplicates, whether or not it was one itself. Those with
 * another payload than the first go with it, so that each is told whether that of the run is its own.
 */
async function writeFirst(db: Queryable, runs: readonly NewRun[]): Promise<EnqueuedJob[]> {
  const distinct = new Map<string, NewRun>();
  for (const run of runs) if (!distinct.has(payloadOf(run))) distinct.set(payloadOf(run), run);
  const jobs = await writeRuns(db, [...distinct.values()]);
  const jobOf = new Map([...distinct.keys()].map((payload, index) => [payload, jobs[index]!]));
  return runs.map((run, index) => (index === 0 ? jobs[0]! : { ...jobOf.get(payloadOf(run))!, isDeduplicated: true }));
}

const payloadOf = ({ version, payloadJson }: NewRun): string => `${version} ${payloadJson}`;
