import type { ClaimedRun, JobContext, Settlement } from '@duework/queue-core';
import type { EffectAnswer, EffectKey, SettledStatus } from '@duework/queue-core/ports';
import type { MemoryRun } from '../../memory/tables/memory-run.js';
import type { MemoryTables } from '../../memory/tables/memory-tables.js';
import { checkChange } from './check-change.js';
import { findExceededLimit, findOvertaken } from './check-gates.js';
import type { EffectLedger } from './effect-ledger.js';
import { HandlerWatch, type RunningHandler } from './handler-watch.js';
import { copySeen, isUnchanged, type Seen } from './seen.js';
import { WholesWatch } from './wholes-watch.js';
import type { SimulatedProcess } from '../world/simulated-process.js';

export interface Violation {
  readonly promise: string;
  readonly facts: string;
}

/** How long a stopping worker waits for the answer to its last claim. */
const CLAIM_WAIT_MS = 5_000;
/** Calls that only a worker makes that is not stopping. */
const CHORES: ReadonlySet<string> = new Set([
  'claim',
  'extendLeases',
  'takeChores',
  'rescue',
  'expire',
  'forgetWorkers',
  'announceContracts',
  'prune',
  'lookForAlerts',
  'alertTold',
]);

/** Calls that make runs; what a batch tells is enqueued by whichever finds it. */
const ENQUEUES: ReadonlySet<string> = new Set(['enqueue', 'enqueueBatch', 'addToBatch', 'insertChildren']);

/**
 * Reads the tables after each call that got to the store, and checks every change against the promises. Of the engine
 * it knows only who called what, and whose handlers run.
 */
export class Observer {
  violation: Violation | null = null;
  readonly #seen = new Map<string, Seen>();
  /** When each run was let in the last time: in lines the place of a run is its number, and who came too late is passed. */
  readonly #letInAtMs = new Map<string, number>();
  readonly #handlers = new HandlerWatch((promise, facts) => this.violate(promise, facts));
  readonly wholes: WholesWatch;
  /** By type and key: the run that was answered. */
  readonly #keys = new Map<string, string>();
  readonly #stopping = new Set<SimulatedProcess>();
  readonly #stopped = new Set<SimulatedProcess>();

  constructor(
    private readonly tables: MemoryTables,
    private readonly ledger: EffectLedger,
    private readonly trace: (line: string) => void,
  ) {
    this.wholes = new WholesWatch(tables, (promise, facts) => this.violate(promise, facts));
  }

  /** Records a broken promise; only the first one counts, because the rest may follow from it. */
  violate(promise: string, facts: string): void {
    if (this.violation === null) this.trace(`BROKEN ${promise}: ${facts}`);
    this.violation ??= { promise, facts };
  }

  /** A call is made; it is on its way for a while. */
  called(caller: SimulatedProcess, verb: string): void {
    if (verb === 'claim' && this.#stopping.has(caller))
      this.violate('a worker that is told to stop claims nothing more', caller.name);
    if (CHORES.has(verb) && this.#stopped.has(caller))
      this.violate('a worker that has stopped asks for nothing more', `${verb} of ${caller.name}`);
  }

  /** Lets a call take effect, and checks what it changed. */
  observe<T>(caller: SimulatedProcess, verb: string, args: readonly unknown[], act: () => Promise<T>): Promise<T> {
    const answered = act();
    const changed = this.#look(caller, verb, args);
    return answered.then((answer) => {
      // in memory a batch is added up a moment after its jobs were written
      if (verb === 'enqueueBatch' || verb === 'addToBatch') this.#look(caller, verb, args);
      if (verb === 'claim') this.#checkClaim((answer as { runs: ClaimedRun[] }).runs, changed);
      if (verb === 'settle')
        this.#checkSettled(args[0] as readonly Settlement[], answer as readonly (SettledStatus | null)[], changed);
      if (verb === 'beginEffect') this.#checkBegun(args[0] as EffectKey, answer as EffectAnswer);
      return answer;
    });
  }

  handlerStarts(process: SimulatedProcess, context: JobContext): RunningHandler {
    const { id, fence } = context.run;
    this.trace(`${process.name} starts job ${id} fence ${fence} attempt ${context.attempt}`);
    return this.#handlers.starts(process, context, this.tables.find(id)!);
  }

  /** An effect is about to happen: `once` has let it through. */
  effectStarts(process: SimulatedProcess, { run: { id, fence } }: JobContext): void {
    const run = this.tables.find(id)!;
    if (run.fence !== fence || (run.lockedUntilMs !== null && run.lockedUntilMs <= this.tables.nowMs()))
      this.violate(
        'no effect begins after the lease of its attempt',
        `job ${id} fence ${fence} on ${process.name}; the run is ${run.status}, fence ${run.fence}`,
      );
  }

  /** A producer received the answer that there is such a run. */
  answered(id: string, type: string, key: string | null): void {
    if (this.tables.find(id) === undefined) this.violate('what was acknowledged is there', `job ${id}`);
    if (key === null) return;
    const known = this.#keys.get(`${type} ${key}`);
    if (known !== undefined && known !== id)
      this.violate('one key makes one run', `${type} ${key}: jobs ${known} and ${id}`);
    this.#keys.set(`${type} ${key}`, id);
  }

  /** A worker has reported that the run succeeded. */
  toldSucceeded(id: string, fence: number): void {
    const run = this.tables.find(id);
    if (run?.status !== 'succeeded' || run.fence !== fence)
      this.violate(
        'what is told to have succeeded has succeeded',
        `job ${id} fence ${fence} is ${run?.status}, fence ${run?.fence}`,
      );
  }

  stops(process: SimulatedProcess): void {
    this.#stopping.add(process);
  }

  /**
   * A worker has reported after `tookMs` that it has stopped, with so many slots taken and so many runs in its buffer.
   * Runs of a claim whose answer it did not wait for any longer are left to the rescue.
   */
  stopped(process: SimulatedProcess, tookMs: number, running: number, buffered: number): void {
    this.trace(`${process.name} has stopped`);
    this.#stopped.add(process);
    if (tookMs >= CLAIM_WAIT_MS) return;
    const handlers = this.#handlers.countOf(process);
    if (buffered > 0 || running > handlers)
      this.violate(
        'a worker that has stopped holds nothing',
        `${process.name} has ${running} slots taken by ${handlers} handlers, and ${buffered} runs waiting`,
      );
  }

  #look(caller: SimulatedProcess, verb: string, args: readonly unknown[]): Map<string, MemoryRun> {
    const changed = new Map<string, MemoryRun>();
    for (const runs of [this.tables.live, this.tables.history])
      for (const run of runs.values()) this.#lookAt(run, caller, verb, args, changed);
    this.wholes.look();
    const exceeded = findExceededLimit(this.tables.running);
    if (exceeded !== null) this.violate('no more run at once than a limit lets', exceeded);
    if (this.#seen.size > this.tables.live.size + this.tables.history.size)
      this.violate('nothing that was enqueued is lost', `after ${verb} of ${caller.name}`);
    return changed;
  }

  #lookAt(
    run: MemoryRun,
    caller: SimulatedProcess,
    verb: string,
    args: readonly unknown[],
    changed: Map<string, MemoryRun>,
  ): void {
    const before = this.#lookWhetherLetIn(run, caller, verb);
    if (before !== undefined && isUnchanged(before, run)) return;
    this.#seen.set(run.id, copySeen(run));
    if (before === undefined) {
      this.trace(`${caller.name} ${verb}: job ${run.id} is ${run.status}`);
      if (!ENQUEUES.has(verb) && run.type !== 'told')
        this.violate('only an enqueue makes a run', `${verb} made job ${run.id}`);
      return;
    }
    if (this.wholes.explains(run, before, verb, args)) {
      this.trace(`${caller.name} ${verb}: job ${run.id} ${before.status} → ${run.status}, because of another`);
      return;
    }
    changed.set(run.id, run);
    this.trace(
      `${caller.name} ${verb}: job ${run.id} ${before.status} → ${run.status}, fence ${run.fence}, attempts ${run.attempts}`,
    );
    const broken = checkChange({ run, before, verb, args, caller: caller.name, nowMs: this.tables.nowMs() });
    if (broken !== null)
      this.violate(
        broken,
        `${verb} of ${caller.name} made job ${run.id}, ${before.status} with fence ${before.fence}, ${run.status} with fence ${run.fence}`,
      );
    if (verb !== 'claim') return;
    this.#handlers.claimed(run, caller);
    const overtaken = findOvertaken(run, this.#letInAtMs.get(run.id)!, this.tables);
    if (overtaken !== null) this.violate('the runs of an order run one at a time, as they were enqueued', overtaken);
  }

  /** What was last seen of a run; where any verb has let it in since, as it was then. */
  #lookWhetherLetIn(run: MemoryRun, caller: SimulatedProcess, verb: string): Seen | undefined {
    const before = this.#seen.get(run.id);
    const wasOut = before === undefined || before.heldBy !== null || before.finishedAtMs !== null;
    if (!wasOut || run.heldBy !== null || !this.tables.live.has(run.id)) return before;
    // which is the moment at which it was let in
    const { runAtMs } = run;
    this.#letInAtMs.set(run.id, runAtMs);
    if (before === undefined || before.heldBy === null) return before;
    this.trace(`${caller.name} ${verb}: job ${run.id} is let in`);
    if (before.runAtMs > this.tables.nowMs() && verb !== 'retry')
      this.violate('nobody is let in before he is due', `job ${run.id} in ${verb} of ${caller.name}`);
    const letIn: Seen = { ...before, heldBy: null, runAtMs };
    this.#seen.set(run.id, letIn);
    return letIn;
  }

  #checkClaim(answer: readonly ClaimedRun[], changed: ReadonlyMap<string, MemoryRun>): void {
    for (const { id, fence } of answer)
      if (changed.get(id)?.fence !== fence)
        this.violate('a claim hands out what it has taken, to one worker', `job ${id} fence ${fence}`);
    if (answer.length !== changed.size)
      this.violate('a claim hands out all that it has taken', `${changed.size} taken, ${answer.length} handed out`);
  }

  #checkSettled(
    batch: readonly Settlement[],
    answer: readonly (SettledStatus | null)[],
    changed: ReadonlyMap<string, MemoryRun>,
  ): void {
    const acknowledged = new Map(
      batch.map(({ id }, at) => [id, answer[at]] as const).filter(([, status]) => status !== null),
    );
    for (const [id, status] of acknowledged)
      if (changed.get(id)?.status !== status)
        this.violate('a settlement that was acknowledged is written', `job ${id}`);
    for (const id of changed.keys())
      if (!acknowledged.has(id)) this.violate('a settlement that is written is acknowledged', `job ${id}`);
  }

  #checkBegun({ type, runKey, name }: EffectKey, answer: EffectAnswer): void {
    if (answer.kind === 'begun') this.ledger.begin(`${type}:${runKey}:${name}`, answer.isRepeat);
  }
}
