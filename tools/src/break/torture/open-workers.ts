import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type ProcessEnd, startProcess, type StartedProcess } from '../../kit/start-process.js';
import { NEW_VERSION } from './jobs.js';
import type { OnWarning } from './observer/warned.js';
import type { ClientKind } from './observer/history-events.js';
import type { WriteEvent } from './processes/open-history.js';
import type { WorkerSettings } from './processes/worker.js';
import { type Proxy, startProxy } from './servers/start-proxy.js';

/** How soon a worker that ended is started anew, as a supervisor does it. */
const RESTART_MS = 1_500;
/** Slots for each job that comes in a second, all workers together: the mix takes half of them. */
const SLOTS_PER_RATE = 0.4;
/** How much of the output of an ended process is kept. */
const LINES = 6;

/** A worker process that runs, or ran until a moment ago. */
export interface RunningWorker {
  readonly name: string;
  readonly process: StartedProcess;
  readonly isPooled: boolean;
}

/** A place where one worker process follows another, over one cable. */
export interface WorkerPlace {
  readonly proxy: Proxy;
  readonly isPooled: boolean;
  /** Null before the first process. */
  current: RunningWorker | null;
}

export interface WorkerPlaces {
  readonly places: readonly WorkerPlace[];
  readonly isPooled: boolean;
  /** The worker of each place. */
  running(): RunningWorker[];
  /** Deploys one place: tells the old process to stop, and starts the new one when it has. */
  replace(place: WorkerPlace, version: number): Promise<void>;
  /** Stops all workers as a deploy does; resolves with how each ended. */
  stop(): Promise<(ProcessEnd & { worker: string })[]>;
}

export interface OpenWorkersOptions {
  readonly url: string;
  readonly port: number;
  /** Null: no worker is behind PgBouncer. */
  readonly poolerPort: number | null;
  /** Workers use them in turns, and so do those that follow each other in one place. */
  readonly clients: readonly ClientKind[];
  readonly dir: string;
  readonly count: number;
  readonly perSecond: number;
  readonly sampleEvery: number;
  readonly note: WriteEvent;
  readonly onWarning: OnWarning;
}

/**
 * Opens the workers: `count` places, each with a cable of its own to the database; the last one goes through PgBouncer
 * where it is installed. A process that ends, for whatever reason, is replaced by one with a new name.
 */
export async function openWorkers(options: OpenWorkersOptions): Promise<WorkerPlaces> {
  const places: Place[] = [];
  for (let index = 0; index < options.count; index++) places.push(await Place.open(options, index));
  for (const place of places) place.start();
  for (const place of places) await place.started;
  return {
    places,
    isPooled: options.poolerPort !== null,
    running: () => places.flatMap(({ current }) => (current === null ? [] : [current])),
    replace: (place, version) => (place as Place).replace(version),
    async stop() {
      const ended = await Promise.all(places.map((place) => place.stop()));
      for (const { proxy } of places) proxy.stop();
      return ended;
    },
  };
}

class Place implements WorkerPlace {
  current: RunningWorker | null = null;
  /** Resolves when the current process works; rejects when it ends before that. */
  started: Promise<void> = Promise.resolve();
  #generation = 0;
  #version: number = NEW_VERSION;
  #isOpen = true;

  private constructor(
    private readonly options: OpenWorkersOptions,
    private readonly index: number,
    readonly proxy: Proxy,
    readonly isPooled: boolean,
  ) {}

  static async open(options: OpenWorkersOptions, index: number): Promise<Place> {
    const pooler = index === options.count - 1 ? options.poolerPort : null;
    return new Place(options, index, await startProxy(pooler ?? options.port), pooler !== null);
  }

  start(): void {
    const { note } = this.options;
    this.#generation += 1;
    const settings = this.#makeSettings();
    const { name, version, client } = settings;
    const process = startProcess({
      main: 'break/torture/processes/worker.js',
      name,
      args: [JSON.stringify(settings)],
      onWarning: (line) => this.options.onWarning({ by: name, line }),
    });
    const started = process.next('started').then((answer) => {
      if (answer === null) throw new Error(`A worker did not start: ${process.said.join(' ')}`);
    });
    started.catch(() => {});
    this.started = started;
    this.current = { name, process, isPooled: this.isPooled };
    note('worker.spawned', { worker: name, pid: process.pid ?? 0, version, isPooled: this.isPooled, client });
    void process.exited.then((end) => this.#follow(name, process, end));
  }

  async replace(version: number): Promise<void> {
    const old = this.current;
    this.#version = version;
    old?.process.signal('SIGTERM');
    await old?.process.exited;
    if (this.current === old) this.start();
    // a process that a fault ends before it has started is replaced, too
    await this.started.catch(() => {});
  }

  async stop(): Promise<ProcessEnd & { worker: string }> {
    this.#isOpen = false;
    const { name = '', process } = this.current ?? {};
    process?.signal('SIGTERM');
    return { worker: name, ...((await process?.exited) ?? { code: null, signal: null }) };
  }

  /** Handles the end of a process: starts its successor. */
  async #follow(name: string, process: StartedProcess, { code, signal }: ProcessEnd): Promise<void> {
    const said = process.said.filter((line) => line.trim() !== '').slice(0, LINES);
    this.options.note('worker.ended', { worker: name, code, signal, isTold: process.isTold, said });
    if (!this.#isOpen || this.current?.process !== process) return;
    await pause(RESTART_MS);
    if (this.#isOpen && this.current?.process === process) this.start();
  }

  #makeSettings(): WorkerSettings {
    const { clients, count, dir, perSecond, sampleEvery, url } = this.options;
    const name = `w${this.index + 1}.${this.#generation}`;
    const address = new URL(url);
    address.port = String(this.proxy.port);
    if (this.isPooled) address.searchParams.set('pgbouncer', 'true');
    return {
      url: address.toString(),
      name,
      client: clients[(this.index + this.#generation - 1) % clients.length] ?? 'pg',
      version: this.#version,
      history: join(dir, `history-${name}.jsonl`),
      effects: join(dir, 'effects.jsonl'),
      concurrency: Math.ceil((perSecond * SLOTS_PER_RATE) / count),
      sampleEvery,
    };
  }
}
