import { Worker } from 'node:worker_threads';
import type { Catalog } from '@duework/contracts';
import { systemClock as clock, waitAtMost } from '../clock.js';
import { findOwnFile } from '../find-own-file.js';
import { extendLeases } from '../sql/leases/extend-leases.js';
import { forgetWorkers } from '../sql/workers/forget-workers.js';
import { registerWorker } from '../sql/workers/register-worker.js';
import { statementText } from '@duework/sql';
import { unregisterWorker } from '../sql/workers/unregister-worker.js';
import type { Abilities } from '../wake/listener-group.js';
import { listenForWakes } from '../wake/listen-for-wakes.js';
import { answerLimitMs, heartbeatIntervalMs, isOverByNextLook, type HeldLease, SharedLeases } from './lease.js';
import type {
  LeaseDatabase,
  ErrorWords,
  LeaseThreadData,
  LeaseThreadMessage,
  LeaseThreadRequest,
} from './keep-leases.js';
import type { Heartbeat, EngineMessage } from './heartbeat.js';

export interface HeartbeatThreadOptions extends LeaseDatabase {
  /** Its shortest lease decides how often leases are checked. */
  readonly catalog: Catalog;
  readonly intervalMs?: number;
  readonly answerLimitMs?: number;
}

/** How long a thread that was asked to stop may take to sign off from the database. */
const STOP_MS = 1_000;

/**
 * Extends leases in its own thread, on its own connection, so that a handler that blocks this event loop cannot starve
 * them; that connection also receives cancellations. Wake-ups arrive on another one, in this thread. `startThread` is
 * for tests.
 *
 * @throws BundledAwayError if the thread's file is missing
 */
export function heartbeatInThread(options: HeartbeatThreadOptions, startThread = startLeaseThread): Heartbeat {
  findThread();
  return new ThreadHeartbeat(
    {
      texts: {
        extend: statementText((db) => extendLeases(db, [])),
        register: statementText((db) => registerWorker(db, '', 0)),
        unregister: statementText((db) => unregisterWorker(db, '')),
        forget: statementText((db) => forgetWorkers(db, [])),
      },
      database: {
        url: options.url,
        others: options.others ?? [],
        isWritten: options.isWritten ?? false,
        options: options.options ?? '',
        isPooled: options.isPooled ?? false,
      },
      intervalMs: options.intervalMs ?? heartbeatIntervalMs(options.catalog),
      answerLimitMs: options.answerLimitMs ?? answerLimitMs(options.catalog),
    },
    startThread,
  );
}

/**
 * The worker's side of the lease thread. A thread that dies is replaced by one that goes on with the same leases; the
 * leases that were lost meanwhile are reported first.
 */
class ThreadHeartbeat implements Heartbeat {
  readonly #leases = new SharedLeases();
  #listener: (message: EngineMessage) => void = () => {};
  #worker = '';
  #thread: Worker | null = null;
  #stopping = new AbortController();
  #listening = new AbortController();
  #stopSaying = (): void => {};

  constructor(
    private readonly settings: Omit<LeaseThreadData, 'leases' | 'worker'>,
    private readonly startThread: typeof startLeaseThread,
  ) {}

  get isListening(): boolean {
    return !this.settings.database.isPooled;
  }

  /** Rejects with the database's error when it cannot be reached, and may then be called again. */
  async start(worker: string, listener: (message: EngineMessage) => void, abilities?: Abilities): Promise<void> {
    this.#worker = worker;
    this.#listener = listener;
    this.#stopping = new AbortController();
    this.#listening = new AbortController();
    this.#sayAlive();
    const { database } = this.settings;
    const listening =
      this.isListening && listenForWakes(this.#listening.signal, { ...database, clock, notify: listener, abilities });
    try {
      await Promise.all([this.#open(), listening]);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  hold(lease: HeldLease): void {
    this.#leases.hold(lease);
  }

  letGo(lease: HeldLease): void {
    this.#leases.letGo(lease);
  }

  renew(): void {
    this.#thread?.postMessage('renew' satisfies LeaseThreadRequest);
  }

  stopListening(): void {
    this.#listening.abort();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.stopListening();
    this.#stopSaying();
    const thread = this.#thread;
    if (thread === null) return;
    const stopped = new Promise<void>((resolve) => {
      thread.on('exit', () => resolve());
      thread.on('message', ({ kind }: LeaseThreadMessage) => kind === 'stopped' && resolve());
    });
    thread.postMessage('stop' satisfies LeaseThreadRequest);
    await waitAtMost(clock, STOP_MS, stopped);
    await thread.terminate();
  }

  /** Resolves when the thread is connected. Rejects when its first try to connect fails; the thread goes on trying. */
  #open(): Promise<void> {
    const thread = this.startThread({ ...this.settings, worker: this.#worker, leases: this.#leases.buffer });
    this.#thread = thread;
    // of this start: another one may have begun when the thread ends
    const { signal } = this.#stopping;
    let why: unknown = new Error('The thread that keeps the leases has ended.');
    const connected = new Promise<void>((resolve, reject) => {
      thread.on('message', (message: LeaseThreadMessage) => {
        if (message.kind === 'connected') resolve();
        else if (message.kind === 'refused') reject(toError(message.error));
        else if (message.kind === 'messages') for (const each of message.messages) this.#receive(each);
      });
      thread.on('error', (error) => (why = error));
      thread.on('exit', () => {
        reject(why as Error);
        this.#thread = null;
        if (!signal.aborted) this.#replace(why, signal);
      });
    });
    // from now on the thread does not keep the process alive
    return connected.finally(() => thread.unref());
  }

  #receive(message: EngineMessage): void {
    this.#listener(
      message.kind === 'failed' ? { kind: 'failed', error: toError(message.error as ErrorWords) } : message,
    );
  }

  /**
   * Starts another thread after a pause. When no thread can be started, leases are still reported as lost when they are
   * over.
   */
  #replace(why: unknown, stopping: AbortSignal): void {
    this.#listener({ kind: 'away' });
    this.#listener({ kind: 'failed', error: why });
    const nowMs = clock.monotonicMs();
    for (const lease of this.#leases.read()) {
      if (isOverByNextLook(lease, nowMs, this.settings.intervalMs))
        this.#listener({ kind: 'lost', id: lease.id, fence: lease.fence });
    }
    clock.after(this.settings.intervalMs, () => {
      if (stopping.aborted) return;
      try {
        // a thread whose first try to connect failed sends `back` and `recovered` itself, once it is connected
        this.#open().then(
          () => {
            this.#listener({ kind: 'back', sinceMs: clock.monotonicMs() });
            this.#listener({ kind: 'recovered' });
          },
          () => {},
        );
      } catch (error) {
        this.#replace(error, stopping);
      }
    });
  }

  /** Writes the sign of life, as often as the thread reads it. */
  #sayAlive(): void {
    this.#leases.aliveMs = clock.monotonicMs();
    this.#stopSaying = clock.after(this.settings.intervalMs, () => this.#sayAlive());
  }
}

/** Starts the thread itself; a test wraps this to get hold of it. */
export const startLeaseThread = (workerData: LeaseThreadData): Worker =>
  new Worker(findThread(), { workerData, name: 'duework leases', execArgv: [] });

function findThread(): URL {
  // tests run from the sources and still start the built file, because a thread cannot load TypeScript
  const base: string | undefined = import.meta.url;
  const built = base?.endsWith('.ts') ? '../../dist/leases/' : './';
  return findOwnFile(`${built}lease-thread.js`, base);
}

function toError({ message, code }: ErrorWords): Error {
  return Object.assign(new Error(message), code === '' ? {} : { code });
}
