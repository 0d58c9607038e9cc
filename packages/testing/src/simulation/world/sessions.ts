import type { EngineMessage, Heartbeat, Store } from '@duework/queue-core';
import type { MemoryTables } from '../../memory/tables/memory-tables.js';
import { rescueRuns } from '../../memory/work/rescue-runs.js';
import { keyedRandom } from './keyed-random.js';
import type { SimulatedProcess } from './simulated-process.js';

/** How long a worker whose session has ended needs for a new one. */
const RECONNECT_MS = 50;

/**
 * The sessions that show which workers live. That of a stopped process may end meanwhile, as when the server restarts: its
 * worker counts as lost until it has a new one, and receives that only when it goes on.
 */
export class Sessions {
  readonly #missing = new Set<string>();

  /** The heartbeat of a worker, which also learns of its session's end. */
  open(process: SimulatedProcess, heartbeat: Heartbeat): Heartbeat {
    const { time, seed, trace } = process.options;
    let notify = (_message: EngineMessage): void => {};
    process.onStall = (place) => {
      if (process.isUnsure || keyedRandom(seed, `${place}/session`)() < 0.5) return;
      trace(`${process.name} loses its session`);
      this.#missing.add(process.name);
      process.isUnsure = true;
      process.deliver('answer', () => {
        notify({ kind: 'away' });
        time.after(RECONNECT_MS, () => process.deliver('answer', comeBack));
      });
    };
    let isOver = false;
    const comeBack = (): void => {
      if (isOver) return;
      trace(`${process.name} has a session again`);
      this.#missing.delete(process.name);
      notify({ kind: 'back', sinceMs: process.clock.monotonicMs() });
      heartbeat.renew();
    };
    return {
      ...heartbeat,
      start(worker, listener) {
        notify = listener;
        return heartbeat.start(worker, listener);
      },
      stop() {
        isOver = true;
        return heartbeat.stop();
      },
    };
  }

  has({ name }: SimulatedProcess): boolean {
    return !this.#missing.has(name);
  }

  /** A process has died, and its session with it. */
  end(process: SimulatedProcess): void {
    if (process.isDead) this.#missing.add(process.name);
    else this.#missing.delete(process.name);
  }

  /** The store, which knows the sessions too. */
  watch(store: Store, tables: MemoryTables): Store {
    return {
      ...store,
      takeChores: async (asked) => {
        const chores = await store.takeChores(asked);
        return { ...chores, lost: chores.lost && { ...chores.lost, missing: [...this.#missing] } };
      },
      rescue: async (limit, whose) =>
        whose?.workers === undefined
          ? store.rescue(limit, whose)
          : rescueRuns(tables, limit, { workers: whose.workers.filter((name) => this.#missing.has(name)) }),
      forgetWorkers: async (names) => names.filter((name) => this.#missing.delete(name)),
    };
  }
}
