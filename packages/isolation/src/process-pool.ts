import type { Clock, IsolatedHost } from '@duework/queue-core';
import { startProcess, type IsolatedProcess } from './start-process.js';

/** A process that waits for its next attempt for longer ends. */
export const IDLE_MS = 30_000;

/** A process of the pool; one that is idle is nobody's. */
export interface PooledProcess extends IsolatedProcess {
  /** Its module, type and memory: it takes attempts of no other. */
  readonly key: string;
  /** How many attempts it has been given. */
  jobs: number;
}

interface Idle {
  readonly process: PooledProcess;
  readonly forget: () => void;
}

/**
 * The processes of one worker's isolated handlers: never more than its slots, idle ones included. One that has just
 * worked is taken first, so that those that are too many become old.
 */
export class ProcessPool {
  static readonly #pools = new WeakMap<IsolatedHost, ProcessPool>();

  readonly #idle: Idle[] = [];
  readonly #alive = new Set<PooledProcess>();
  #isClosed = false;

  private constructor(readonly host: IsolatedHost) {}

  /** The one pool of that worker. */
  static of(host: IsolatedHost): ProcessPool {
    const pool = this.#pools.get(host) ?? new ProcessPool(host);
    this.#pools.set(host, pool);
    return pool;
  }

  /**
   * An idle process of that key, or a new one, for which an idle one of another key ends when the slots are used up.
   */
  async take(key: string): Promise<PooledProcess> {
    for (;;) {
      const found = this.#idle.findLast(({ process }) => process.key === key);
      if (found !== undefined) return this.#takeOut(found);
      if (this.#idle.length === 0 || this.#alive.size < this.host.concurrency) return this.#start(key);
      await end(this.#takeOut(this.#idle[0]!));
    }
  }

  /** The process can take another attempt. */
  keep(process: PooledProcess, clock: Clock): void {
    if (this.#isClosed) return process.kill();
    process.listen(null);
    this.#idle.push({ process, forget: clock.after(IDLE_MS, () => this.#drop(process)?.kill()) });
  }

  /** Resolves when every idle process has ended; one that works ends after its attempt. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#idle].map((idle) => end(this.#takeOut(idle))));
  }

  #start(key: string): PooledProcess {
    const process = Object.assign(startProcess(), { key, jobs: 0 });
    this.#alive.add(process);
    void process.ended.then(() => {
      this.#alive.delete(process);
      this.#drop(process);
    });
    return process;
  }

  #drop(process: PooledProcess): PooledProcess | undefined {
    const idle = this.#idle.find((each) => each.process === process);
    return idle && this.#takeOut(idle);
  }

  #takeOut(idle: Idle): PooledProcess {
    this.#idle.splice(this.#idle.indexOf(idle), 1);
    idle.forget();
    return idle.process;
  }
}

function end(process: PooledProcess): Promise<unknown> {
  process.listen(() => {});
  process.kill();
  return process.ended;
}
