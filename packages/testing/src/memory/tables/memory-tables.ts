import type { JobContract, RetryPolicy } from '@duework/contracts';
import type { JobAttempt, Pause, WallClock } from '@duework/queue-core';
import {
  ownDays,
  type AlertState,
  type AskedChore,
  type NewWait,
  type OwnDays,
  type StepRow,
  type WorkerContracts,
} from '@duework/queue-core/ports';
import { MemoryGates } from '../flow/memory-gates.js';
import { MemoryBatches } from './memory-batches.js';
import type { MemoryRun } from './memory-run.js';
import { WaitingRuns } from './waiting-runs.js';

export interface MemoryKey {
  readonly runId: string;
  readonly expiresAtMs: number | null;
  readonly createdAtMs: number;
}

export interface MemoryEffect {
  status: 'started' | 'done' | 'unknown' | 'approved';
  runId: string;
  fence: number;
  resultJson: string;
}

/** A wait, in the order in which they began. */
export interface MemoryWait extends Pick<NewWait, 'name' | 'askedSeq' | 'awaits' | 'awaited'> {
  readonly number: number;
  readonly wakesAtMs: number | null;
  /** What it waited for, as text, and as the how-manieth that came; null: it waits. */
  arrivedAt: number | null;
  arrivedJson: string | null;
}

type FinalStatus = 'succeeded' | 'dead' | 'cancelled';

/**
 * Where the in-memory store keeps everything: the tables of the database as maps. Every verb is a function that runs to
 * its end before another one begins, which is what makes it atomic; none of them waits.
 *
 * Nothing grows for ever: live runs are bounded by the queue's admission, finished ones by `keepFinished`, and what
 * belongs to a run (attempts, its key, its effects, its steps) is forgotten with it.
 */
export class MemoryTables {
  /** `queued`, `failed` and `running`, by id. */
  readonly live = new Map<string, MemoryRun>();
  readonly running = new Set<MemoryRun>();
  /** Those that claims see; the others are held at their gates. */
  readonly waiting = new WaitingRuns();
  /** `succeeded`, `dead` and `cancelled`, by id, in the order they finished. */
  readonly history = new Map<string, MemoryRun>();
  readonly attempts = new Map<string, JobAttempt[]>();
  /** By `keyOf(type, key)`. */
  readonly keys = new Map<string, MemoryKey>();
  /** By `keyOf(type, run key)`, then by name. */
  readonly effects = new Map<string, Map<string, MemoryEffect>>();
  /** Those of each run, by name, in the order in which they ended. */
  readonly steps = new Map<string, Map<string, StepRow>>();
  /** What each run waits for, by name. */
  readonly waits = new Map<string, Map<string, MemoryWait>>();
  /** The children of each run, by the name of the step. */
  readonly children = new Map<string, Map<string, string>>();
  /** Signals that nobody has received, by name and key. */
  readonly signals = new Map<string, readonly { readonly payloadJson: string; readonly sentAtMs: number }[]>();
  readonly batches = new MemoryBatches();
  /** The contracts that workers have prepared for. */
  catalog: readonly JobContract[] = [];
  /** The retry rule of each type that a worker has prepared for. */
  readonly retryOf = new Map<string, RetryPolicy>();
  /** After which time a run of the type is taken before others. */
  readonly maxWaitMsOf = new Map<string, number>();
  /** What each worker can run, and when it last said so. */
  readonly readers = new Map<string, WorkerContracts & { readonly seenAtMs: number }>();

  /** What programs say of how long the runs of a type are kept. */
  ownDaysOf(type: string): readonly OwnDays[] {
    const known = [this.catalog.find((contract) => contract.type === type)];
    for (const { contracts } of this.readers.values()) known.push(contracts.get(type));
    return known.filter((contract) => contract !== undefined).map(ownDays);
  }

  /** By kind and name. */
  readonly pauses = new Map<string, Pause>();
  readonly alerts = new Map<string, AlertState>();
  /** When each chore was taken. */
  readonly #takenAtMs = new Map<string, number>();
  /** Called when there are fewer live runs. */
  onRoom: () => void = () => {};
  /** Called when a run is dead. */
  onDead: (run: MemoryRun) => void = () => {};
  /** Called when a run has ended. */
  onEnded: (run: MemoryRun) => void = () => {};
  /** Called when a run begins to wait, with the moment until which it waits. */
  onWaiting: (runAtMs: number) => void = () => {};
  readonly gates: MemoryGates;
  #lastNumber = 0;

  constructor(
    readonly clock: WallClock,
    readonly keepFinished: number,
  ) {
    this.gates = new MemoryGates({
      nowMs: () => this.nowMs(),
      isLive: (run) => this.live.has(run.id),
      isUnseenDead: (run) => run.status === 'dead' && run.acknowledgedAtMs === null && this.history.has(run.id),
      letIn: (run) => this.#letIn(run),
      onTurn: () => this.onWaiting(this.nowMs()),
    });
  }

  nowMs(): number {
    return this.clock.now().getTime();
  }

  /** Takes the chores that nobody has taken in their periods; returns their names. */
  takeChores(asked: readonly AskedChore[]): readonly string[] {
    const nowMs = this.nowMs();
    const due = asked.filter(({ name, everyMs }) => {
      const takenAtMs = this.#takenAtMs.get(name) ?? -Infinity;
      return everyMs === 0 || Math.floor(nowMs / everyMs) !== Math.floor(takenAtMs / everyMs);
    });
    for (const { name } of due) this.#takenAtMs.set(name, nowMs);
    return due.map(({ name }) => name);
  }

  nextNumber(): number {
    return ++this.#lastNumber;
  }

  /** The pause that holds at `nowMs`; undefined: there is none. */
  pauseOf(kind: Pause['kind'], name: string, nowMs: number): Pause | undefined {
    const pause = this.pauses.get(keyOf(kind, name));
    return pause === undefined || (pause.until?.getTime() ?? Infinity) <= nowMs ? undefined : pause;
  }

  /** When the next pause ends after `nowMs`; Infinity: none does. */
  nextPauseEndMs(nowMs: number): number {
    const endsMs = Array.from(this.pauses.values(), ({ until }) => until?.getTime() ?? Infinity);
    return Math.min(...endsMs.filter((endMs) => endMs > nowMs), Infinity);
  }

  find(id: string): MemoryRun | undefined {
    return this.live.get(id) ?? this.history.get(id);
  }

  /** The run, only while that claim of it holds. */
  owned(id: string, fence: number): MemoryRun | undefined {
    const run = this.live.get(id);
    return run?.status === 'running' && run.fence === fence ? run : undefined;
  }

  /** Makes a run wait until `runAtMs`, at a gate or where claims see it, and ends its lease. */
  wait(run: MemoryRun, status: 'queued' | 'failed', runAtMs: number, heldBy: string | null): void {
    this.leave(run);
    Object.assign(run, { status, runAtMs, heldBy, worker: null, lockedUntilMs: null });
    this.live.set(run.id, run);
    if (heldBy === null) this.waiting.add(run);
    else this.gates.hold(run);
    this.onWaiting(runAtMs);
  }

  /** A waiting run is taken before all others of its queue, or of the line in which it stands. */
  raise(run: MemoryRun): void {
    const raise = (): void => void (run.priority = 0);
    if (run.heldBy !== null) return this.gates.move(run, raise);
    this.waiting.remove(run);
    raise();
    this.waiting.add(run);
  }

  /** Moves a live run to the history. */
  finish(run: MemoryRun, status: FinalStatus, nowMs: number): void {
    this.leave(run);
    this.live.delete(run.id);
    Object.assign(run, { status, heldBy: null, lockedUntilMs: null, finishedAtMs: nowMs });
    this.history.set(run.id, run);
    this.batches.ended(run);
    if (status === 'dead') this.onDead(run);
    this.onEnded(run);
    for (const oldest of this.history.values()) {
      if (this.history.size <= this.keepFinished) break;
      this.forget(oldest);
    }
    this.onRoom();
  }

  /** The run, where that claim was completed in its handler's own transaction, which may have failed since. */
  completedIn(id: string, fence: number): MemoryRun | undefined {
    const run = this.history.get(id);
    return run !== undefined && run.isCompletedIn && run.fence === fence ? run : undefined;
  }

  /** Undoes such a completion: the run is as it was. */
  takeBack(id: string, fence: number): MemoryRun | undefined {
    const run = this.completedIn(id, fence);
    if (run === undefined) return undefined;
    this.history.delete(id);
    this.batches.returned(run, 'succeeded');
    Object.assign(run, {
      status: 'running',
      resultJson: null,
      finishedAtMs: null,
      lockedUntilMs: this.nowMs(),
      isCompletedIn: false,
      // others may have its slots by now
      heldBy: run.gates?.[0] ?? null,
    });
    this.live.set(id, run);
    this.running.add(run);
    return run;
  }

  record(run: MemoryRun, attempt: JobAttempt): void {
    const known = this.attempts.get(run.id);
    if (known === undefined) this.attempts.set(run.id, [attempt]);
    else known.push(attempt);
  }

  /** Forgets a finished run with all that belongs to it: its key is free again. */
  forget(run: MemoryRun): void {
    this.history.delete(run.id);
    this.gates.toLook(run);
    this.attempts.delete(run.id);
    this.steps.delete(run.id);
    this.waits.delete(run.id);
    this.children.delete(run.id);
    if (run.heldKey !== null && this.keys.get(keyOf(run.type, run.heldKey))?.runId === run.id)
      this.keys.delete(keyOf(run.type, run.heldKey));
    const effectsKey = keyOf(run.type, run.key ?? `run:${run.id}`);
    const effects = this.effects.get(effectsKey) ?? new Map<string, MemoryEffect>();
    for (const [name, effect] of effects) if (effect.runId === run.id) effects.delete(name);
    if (effects.size === 0) this.effects.delete(effectsKey);
  }

  /** Ends what the run does, or its waiting; whoever waits at its gates may have room then. */
  leave(run: MemoryRun): void {
    this.running.delete(run);
    if (run.place >= 0) {
      if (run.heldBy === null) this.waiting.remove(run);
      else this.gates.leave(run);
    }
    this.gates.toLook(run);
  }

  #letIn(run: MemoryRun): void {
    const nowMs = this.nowMs();
    Object.assign(run, { heldBy: null, runAtMs: nowMs });
    this.waiting.add(run);
    this.onWaiting(nowMs);
  }
}

/** A job type has no line break, so no two pairs share a text. */
export function keyOf(type: string, key: string): string {
  return `${type}\n${key}`;
}
