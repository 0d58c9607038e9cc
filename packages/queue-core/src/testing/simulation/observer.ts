import type { JobContext } from '../../handler.js';
import type { EffectAnswer, EffectKey } from '../../sql/begin-effect.js';
import type { MemoryRun } from '../../store/memory/memory-run.js';
import type { MemoryTables } from '../../store/memory/memory-tables.js';
import type { ClaimedRun, SettledStatus } from '../../store/store.js';
import { checkChange } from './check-change.js';
import type { EffectLedger } from './effect-ledger.js';
import type { SimulatedProcess } from './simulated-process.js';

export interface Violation {
  readonly promise: string;
  readonly facts: string;
}

/** What was last seen of a run. */
export type Seen = Pick<MemoryRun, 'status' | 'fence' | 'attempts' | 'worker' | 'lockedUntilMs' | 'runAtMs' | 'isCompletedIn' | 'cancelRequestedAtMs'>;

export interface RunningHandler {
  readonly process: SimulatedProcess;
  readonly context: JobContext;
  /** It completes its run itself: that its row is gone says nothing any more, so nobody tells it. */
  isCompleting: boolean;
  readonly end: () => void;
}

/** A worker that went on a moment ago has not looked at its leases yet. */
const NOT_LOOKED_MS = 5;
/** What only a worker asks that goes on working. */
const CHORES: ReadonlySet<string> = new Set(['claim', 'extendLeases', 'rescue', 'retain', 'raiseAlerts']);

/**
 * Looks at the tables after each call that reached the store, and holds what has changed against what is promised. It knows
 * nothing of the engine but who called what, and whose handlers run.
 */
export class Observer {
  violation: Violation | null = null;
  readonly #seen = new Map<string, Seen>();
  readonly #claims = new Map<string, SimulatedProcess>();
  readonly #started = new Set<string>();
  readonly #handlers = new Map<string, Set<RunningHandler>>();
  /** By type and key: the run that was answered. */
  readonly #keys = new Map<string, string>();
  readonly #stopped = new Set<SimulatedProcess>();

  constructor(
    private readonly tables: MemoryTables,
    private readonly ledger: EffectLedger,
    private readonly trace: (line: string) => void,
  ) {}

  /** Only the first one counts: the rest may follow from it. */
  violate(promise: string, facts: string): void {
    if (this.violation === null) this.trace(`BROKEN ${promise}: ${facts}`);
    this.violation ??= { promise, facts };
  }

  /** A call is made; it is on its way for a while. */
  called(caller: SimulatedProcess, verb: string): void {
    if (CHORES.has(verb) && this.#stopped.has(caller)) this.violate('a worker that has stopped asks for nothing more', `${verb} of ${caller.name}`);
  }

  /** Lets a call take effect, and looks what it did. */
  observe<T>(caller: SimulatedProcess, verb: string, args: readonly unknown[], act: () => Promise<T>): Promise<T> {
    const answered = act();
    const changed = this.#look(caller, verb, args);
    return answered.then((answer) => {
      if (verb === 'claim') this.#checkClaim((answer as { runs: ClaimedRun[] }).runs, changed);
      if (verb === 'settle') this.#checkAnswer(answer as Map<string, SettledStatus>, changed);
      if (verb === 'beginEffect') this.#checkBegun(args[0] as EffectKey, answer as EffectAnswer);
      return answer;
    });
  }

  handlerStarts(process: SimulatedProcess, context: JobContext): RunningHandler {
    const { id, fence } = context.run;
    const claim = `${id} ${fence}`;
    const run = this.tables.find(id)!;
    this.trace(`${process.name} starts job ${id} fence ${fence} attempt ${context.attempt}`);
    if (this.#claims.get(claim) !== process) this.violate('a handler runs for the worker that claimed its run only', `job ${id} fence ${fence} on ${process.name}`);
    if (this.#started.has(claim)) this.violate('one claim starts one handler', `job ${id} fence ${fence}`);
    if (run.status !== 'running' || run.fence !== fence) this.violate('no handler is started on a lease that is over', `job ${id} fence ${fence} on ${process.name}; it is ${run.status}, fence ${run.fence}`);
    this.#started.add(claim);
    const ofRun = this.#handlers.get(id) ?? new Set<RunningHandler>();
    const running: RunningHandler = { process, context, isCompleting: false, end: () => void ofRun.delete(running) };
    this.#handlers.set(id, ofRun.add(running));
    return running;
  }

  /** A producer was told that there is such a run. */
  answered(id: string, type: string, key: string | null): void {
    if (this.tables.find(id) === undefined) this.violate('what was acknowledged is there', `job ${id}`);
    if (key === null) return;
    const known = this.#keys.get(`${type} ${key}`);
    if (known !== undefined && known !== id) this.violate('one key makes one run', `${type} ${key}: jobs ${known} and ${id}`);
    this.#keys.set(`${type} ${key}`, id);
  }

  /** A worker has said that it succeeded. */
  toldSucceeded(id: string, fence: number): void {
    const run = this.tables.find(id);
    if (run?.status !== 'succeeded' || run.fence !== fence) this.violate('what is told to have succeeded has succeeded', `job ${id} fence ${fence} is ${run?.status}, fence ${run?.fence}`);
  }

  /** A worker has said that it has stopped, with so many slots taken and so many runs waiting in its buffer. */
  stopped(process: SimulatedProcess, running: number, buffered: number): void {
    this.trace(`${process.name} has stopped`);
    this.#stopped.add(process);
    const handlers = [...this.#handlers.values()].flatMap((ofRun) => [...ofRun]).filter((handler) => handler.process === process).length;
    if (buffered > 0 || running > handlers) this.violate('a worker that has stopped holds nothing', `${process.name} has ${running} slots taken by ${handlers} handlers, and ${buffered} runs waiting`);
  }

  #look(caller: SimulatedProcess, verb: string, args: readonly unknown[]): Map<string, MemoryRun> {
    const changed = new Map<string, MemoryRun>();
    for (const runs of [this.tables.live, this.tables.history]) for (const run of runs.values()) this.#lookAt(run, caller, verb, args, changed);
    if (this.#seen.size > this.tables.live.size + this.tables.history.size) this.violate('nothing that was enqueued is lost', `after ${verb} of ${caller.name}`);
    return changed;
  }

  #lookAt(run: MemoryRun, caller: SimulatedProcess, verb: string, args: readonly unknown[], changed: Map<string, MemoryRun>): void {
    const before = this.#seen.get(run.id);
    if (before !== undefined && isSame(before, run)) return;
    this.#seen.set(run.id, copy(run));
    if (before === undefined) {
      this.trace(`${caller.name} ${verb}: job ${run.id} is ${run.status}`);
      if (verb !== 'enqueue') this.violate('only an enqueue makes a run', `${verb} made job ${run.id}`);
      return;
    }
    changed.set(run.id, run);
    this.trace(`${caller.name} ${verb}: job ${run.id} ${before.status} → ${run.status}, fence ${run.fence}, attempts ${run.attempts}`);
    const broken = checkChange({ run, before, verb, args, caller: caller.name, nowMs: this.tables.nowMs() });
    if (broken !== null) this.violate(broken, `${verb} of ${caller.name} made job ${run.id}, ${before.status} with fence ${before.fence}, ${run.status} with fence ${run.fence}`);
    if (verb === 'claim') this.#checkNobodyElse(run, caller);
  }

  /** The one whose lease is over has been told before another one may start. */
  #checkNobodyElse(run: MemoryRun, caller: SimulatedProcess): void {
    this.#claims.set(`${run.id} ${run.fence}`, caller);
    for (const { process, context, isCompleting } of this.#handlers.get(run.id) ?? []) {
      if (isCompleting || process.isDead || process.isStopped || process.options.time.monotonicMs() - process.resumedMs < NOT_LOOKED_MS) continue;
      if (!context.signal.aborted) this.violate('a handler is told that its lease is lost before another worker may start', `job ${run.id}: ${process.name} works on fence ${context.fence}, and ${caller.name} claims it`);
    }
  }

  #checkBegun({ type, runKey, name }: EffectKey, answer: EffectAnswer): void {
    if (answer.kind === 'begun') this.ledger.begin(`${type}:${runKey}:${name}`, answer.isRepeat);
  }

  #checkClaim(answer: readonly ClaimedRun[], changed: ReadonlyMap<string, MemoryRun>): void {
    for (const { id, fence } of answer) if (changed.get(id)?.fence !== fence) this.violate('a claim hands out what it has taken, to one worker', `job ${id} fence ${fence}`);
    if (answer.length !== changed.size) this.violate('a claim hands out all that it has taken', `${changed.size} taken, ${answer.length} handed out`);
  }

  #checkAnswer(answer: ReadonlyMap<string, SettledStatus>, changed: ReadonlyMap<string, MemoryRun>): void {
    for (const id of answer.keys()) if (!changed.has(id)) this.violate('a settlement that was acknowledged is written', `job ${id}`);
    for (const id of changed.keys()) if (!answer.has(id)) this.violate('a settlement that is written is acknowledged', `job ${id}`);
  }
}

/** Notes which questions about effects a person answers with this retry. */
export function approvesEffects(tables: MemoryTables, ledger: EffectLedger, id: string): () => void {
  const open: { readonly key: string; readonly effect: { readonly status: string } }[] = [];
  for (const [place, effects] of tables.effects) for (const [name, effect] of effects) if (effect.runId === id && effect.status === 'unknown') open.push({ key: `${place.replace('\n', ':')}:${name}`, effect });
  return () => {
    for (const { key, effect } of open) {
      if (effect.status === 'approved') ledger.approve(key);
      if (effect.status === 'done') ledger.confirm(key);
    }
  };
}

function copy({ status, fence, attempts, worker, lockedUntilMs, runAtMs, isCompletedIn, cancelRequestedAtMs }: MemoryRun): Seen {
  return { status, fence, attempts, worker, lockedUntilMs, runAtMs, isCompletedIn, cancelRequestedAtMs };
}

function isSame(before: Seen, run: MemoryRun): boolean {
  return before.status === run.status && before.fence === run.fence && before.attempts === run.attempts && before.worker === run.worker && before.lockedUntilMs === run.lockedUntilMs
    && before.runAtMs === run.runAtMs && before.isCompletedIn === run.isCompletedIn && before.cancelRequestedAtMs === run.cancelRequestedAtMs;
}
