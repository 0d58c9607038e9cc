import { createWorker, type JobContext, type Store, type Worker, type WorkerEvent } from '@duework/queue-core';
import { heartbeatHere, heartbeatIntervalMs } from '@duework/queue-core/internals';
import { silentLog } from '../../start-test-worker.js';
import { catalogToSimulate } from '../plan/contracts-to-simulate.js';
import { keyedRandom } from '../world/keyed-random.js';
import type { SimulatedWorker, Workload } from '../plan/make-workload.js';
import { CALL_FAULTS } from '../plan/plan.js';
import { connectStore } from '../world/connect-store.js';
import { runScript } from './run-script.js';
import { runLeg, runTrip } from './run-trip.js';
import { SimulatedProcess } from '../world/simulated-process.js';
import type { World } from '../world/world.js';

const MIN_RESTART_MS = 50;
const MORE_RESTART_MS = 1_500;

/** The place of one worker: a process that dies or stops is replaced by the next one, under another name. */
export class WorkerPlace {
  #process: SimulatedProcess | null = null;
  #worker: Worker | null = null;
  #count = 0;
  #isClosed = false;

  constructor(
    private readonly world: World,
    private readonly store: Store,
    private readonly workload: Workload,
    private readonly about: SimulatedWorker,
  ) {}

  /** The process that runs there now; null: none does. */
  get process(): SimulatedProcess | null {
    return this.#process;
  }

  start(): void {
    if (this.#isClosed) return;
    const { world, about } = this;
    const { time, faults, trace, plan } = world;
    const name = `w${about.number}.${++this.#count}`;
    const process = new SimulatedProcess({
      name,
      seed: plan.seed,
      time,
      faults,
      trace,
      possible: CALL_FAULTS,
      onDeath: () => this.#leave(process),
    });
    const jobOf = ({ payload }: Pick<JobContext, 'payload'>) =>
      this.workload.jobs.find(({ number }) => number === (payload as { job: number }).job)!;
    const run = (context: JobContext) => runScript(world, process, jobOf(context), context);
    const connected = connectStore(world, process, this.store, about);
    const worker = createWorker({
      name,
      store: connected,
      leases: world.sessions.open(
        process,
        heartbeatHere(connected, process.clock, heartbeatIntervalMs(catalogToSimulate)),
      ),
      catalog: catalogToSimulate,
      handlers: {
        send: run,
        post: run,
        tidy: run,
        ship: run,
        pack: run,
        book: run,
        trip: (context) => runTrip(world, process, jobOf(context), context),
        leg: (context) => runLeg(world, process, jobOf(context), context),
        told: () => {},
      },
      emit: (event) => this.#hear(process, event),
      logOf: () => silentLog,
      concurrency: about.concurrency,
      buffer: about.buffer,
      pollIntervalMs: about.pollIntervalMs,
      graceMs: 200,
      maintenance: { rescueIntervalMs: 500 },
      maxLoopDelayMs: Infinity,
      clock: process.clock,
      random: keyedRandom(plan.seed, `${name}/random`),
    });
    this.#process = process;
    worker.start().then(
      () => {
        // it may have died on the way
        if (this.#process !== process) return;
        this.#worker = worker;
        if (this.#isClosed) void this.stop(0);
      },
      // a worker that cannot start ends, and the next one is started
      () => this.#leave(process),
    );
  }

  /** Stops the worker as a deploy does. Resolves when the worker has stopped; never when it dies meanwhile. */
  async stop(deadlineMs: number, hurriesMs: number | null = null): Promise<void> {
    const [process, worker] = [this.#process, this.#worker];
    if (process === null || worker === null) return;
    this.#worker = null;
    this.world.trace(`${process.name} is to stop within ${deadlineMs} ms`);
    await new Promise<void>((resolve) => process.deliver('answer', resolve));
    const startedMs = process.clock.monotonicMs();
    this.world.observer.stops(process);
    if (hurriesMs !== null) process.clock.after(hurriesMs, () => void worker.stop({ deadlineMs: 0 }));
    await worker.stop({ deadlineMs });
    // a handler that ends right now frees its slot when the event loop has turned; the first turn may come after a SIGSTOP
    for (let turn = 0; turn < 2; turn++) await new Promise<void>((resolve) => void process.clock.after(1, resolve));
    const { running, buffered } = worker.activity();
    this.world.observer.stopped(process, process.clock.monotonicMs() - startedMs, running, buffered);
    this.#leave(process);
  }

  /** Stops the process that runs there, and starts no other. */
  close(deadlineMs: number): void {
    this.#isClosed = true;
    void this.stop(deadlineMs);
  }

  #leave(process: SimulatedProcess): void {
    if (this.#process !== process) return;
    this.#process = null;
    this.#worker = null;
    this.world.sessions.end(process);
    const random = keyedRandom(this.world.plan.seed, `${process.name}/restart`);
    this.world.time.after(MIN_RESTART_MS + random() * MORE_RESTART_MS, () => this.start());
  }

  #hear(process: SimulatedProcess, event: WorkerEvent): void {
    if (process.isDead) return;
    const run = 'run' in event ? ` job ${event.run.id} fence ${event.run.fence}` : '';
    this.world.trace(`${process.name} says ${event.name}${run}`);
    if (event.name === 'job.succeeded') this.world.observer.toldSucceeded(event.run.id, event.run.fence);
  }
}
