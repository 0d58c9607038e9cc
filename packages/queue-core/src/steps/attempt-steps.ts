import { parseValue, type StandardSchema } from '@duework/contracts';
import type { Queryable } from '@duework/sql';
import { findUnstorableText, showValue } from '@duework/sql/errors';
import type { OwnedRun } from '../claim/owned-run.js';
import { encodeJson } from '../enqueue/encode-payload.js';
import type { NewStep, StepAnswer, StepFailure, StepRow, WaitRow } from '../ports/steps.js';
import type { Json } from '../queue/job.js';
import { requireCapability } from '../require-capability.js';
import { AbortReason, readOutcome } from '../settle/attempt-end.js';
import { StepFailedError } from '../step-errors.js';
import { StepMisuseError } from '../step-misuse-error.js';
import { makeCleaner } from '../secrets/make-cleaner.js';
import { classifyError } from '../settle/classify-error.js';
import type { Engine } from '../worker/engine.js';
import type { Outcome } from '../settle/outcome.js';
import type { Step } from './durable-context.js';
import { IdleWatch } from './idle-watch.js';
import { Replay } from './replay.js';

export type StepNeeds = Pick<Engine, 'store' | 'clock' | 'crashHook' | 'steps' | 'waits' | 'children'>;

const MAX_NAME = 200;
/**
 * A step that is never answered: its attempt is over, and a rejection would run what compensates. Each is a promise of
 * its own, because one that all share would keep all who wait for it.
 */
const never = (): Promise<never> => new Promise(() => {});

/** What waits without an end is looked at once a year. */
const LONGEST_MS = 365 * 86_400_000;
const NOTHING = { done: [], waits: [] } as const;

/** A step that this attempt has asked for. */
interface Asked {
  readonly seq: number;
  readonly atMs: number;
  isOpen: boolean;
}

/** A step that has ended in this attempt. */
type Ended = Omit<NewStep, 'id' | 'fence'>;

/** The steps of one attempt. What its run has done before is read at the first of them, where it was claimed before. */
export class AttemptSteps {
  readonly #asked = new Map<string, Asked>();
  #replay: Promise<Replay> | null = null;
  /** What the run waited for when this attempt began. */
  #waits: ReadonlyMap<string, WaitRow> = new Map();
  #seq = 0;
  readonly #running = new Set<Promise<unknown>>();
  readonly #idle: IdleWatch;
  /** Failed steps that are kept once the handler goes on. */
  #failures: { readonly row: Ended; readonly error: StepFailedError }[] = [];
  #isOver = false;
  #stop: (error: StepMisuseError) => void = () => {};
  readonly #stopped = new Promise<never>((_, reject) => (this.#stop = reject));

  constructor(
    private readonly engine: StepNeeds,
    private readonly owned: OwnedRun,
  ) {
    // nobody may be waiting for it
    this.#stopped.catch(() => {});
    this.#idle = new IdleWatch(engine.clock);
  }

  readonly step: Step = Object.assign(
    (name: string, work: () => unknown, options: { readonly result?: StandardSchema } = {}) =>
      this.go(() => this.#take(name, work, options.result ?? null)),
    { in: (tx: Queryable, name: string, work: (tx: never) => unknown) => this.go(() => this.#takeIn(tx, name, work)) },
  ) as unknown as Step;

  /**
   * The outcome of the handler, once its steps have ended, too: what they did is known then to the next attempt. Rejects
   * with `steps_changed`, and gives the handler up, where it does not ask for what its run has done.
   */
  async outcomeOf<T>(handler: Promise<T>): Promise<T | Outcome<never>> {
    return Promise.race([this.#end(handler), this.#stopped, this.#wait()]);
  }

  /** How the attempt ends once all that its handler goes on with is yet to come: its run waits for that without a slot. */
  async #wait(): Promise<Outcome<never>> {
    const untilMs = await this.#idle.isIdle;
    this.#isOver = true;
    const wakesAtMs = Math.min(untilMs, this.nowMs + LONGEST_MS);
    return { kind: 'wait', delayMs: Math.max(0, wakesAtMs - this.nowMs), wakesAt: new Date(wakesAtMs).toISOString() };
  }

  /** When the run was claimed, on the store's clock. */
  get nowMs(): number {
    const { runAtMs, waitedMs } = this.owned.run;
    return runAtMs + waitedMs;
  }

  /** Does something that the handler has asked for; until that has ended, the run does not wait. */
  go<T>(work: () => Promise<T>): Promise<T> {
    const going = this.#idle.follow(work());
    // a step that nobody awaits must not end the process when it fails
    going.catch(() => {});
    return going;
  }

  /** Asks for a step that is a wait: what is known of it, or until when it has waited since an earlier attempt. */
  async askForWait(
    name: string,
  ): Promise<{ readonly row: StepRow | null; readonly since?: WaitRow; readonly seq: number }> {
    const asked = this.#ask(name);
    const row = await this.#find(name, asked);
    return { row, seq: asked.seq, ...(row === null && this.#waits.has(name) ? { since: this.#waits.get(name)! } : {}) };
  }

  /** Whether this attempt goes the way of new code at a place; the first attempt that comes there decides for all. */
  readonly patched = (name: string): Promise<boolean> =>
    this.go(async () => {
      const asked = this.#ask(name);
      if (this.#isOver) return never();
      const known = await (await this.#open()).askForMark(name);
      if (known === null) await this.#write(this.#row(name, asked, true));
      asked.isOpen = false;
      return known !== 'past';
    });

  /** Lets the run wait for it, once nothing else is to be done. Never resolves. */
  park(wakesAtMs: number): Promise<never> {
    this.#idle.park(wakesAtMs);
    return never();
  }

  /** Ends a wait now, behind all that has been done so far; null: another is about to end it. */
  async endWait(name: string): Promise<StepRow | null> {
    const { id, fence } = this.owned.run;
    const asked = this.#asked.get(name)!;
    const row = this.#row(name, asked, null);
    const ended = await this.engine.store.endWait({ id, fence, name, doneSeq: row.doneSeq });
    if (ended === null) asked.isOpen = true;
    return ended === null ? null : { ...row, ...ended };
  }

  async #end<T>(handler: Promise<T>): Promise<T> {
    try {
      await handler;
    } finally {
      this.#isOver = true;
      await Promise.allSettled(this.#running);
    }
    const given = await handler;
    const left = readOutcome(given).kind === 'complete' ? (await this.#open()).left : null;
    if (left !== null) throw changed(left, 'its handler returned');
    return given;
  }

  /** The attempt ends when this has ended. */
  async #follow<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
    }
  }

  async #take(name: string, work: () => unknown, schema: StandardSchema | null): Promise<unknown> {
    const asked = this.#ask(name);
    const row = await this.#find(name, asked);
    return read(row ?? (await this.#follow(this.#do(name, asked, work))), schema);
  }

  async #do(name: string, asked: Asked, work: () => unknown): Promise<StepRow> {
    const { run, contract, abort } = this.owned;
    let value: unknown;
    try {
      value = await work();
    } catch (error) {
      asked.isOpen = false;
      if (abort.reason !== null || AbortReason.is(error)) throw error;
      const { record, isPermanent } = classifyError(error, contract.errors, makeCleaner(contract, run));
      const { stack, ...failure } = record;
      const failed = new StepFailedError(name, failure, isPermanent, stack);
      this.#failures.push({ row: this.#row(name, asked, null, failure), error: failed });
      throw failed;
    }
    const ended = this.#row(name, asked, encode(name, value));
    await this.#crash('step.before');
    const kept = await this.#write(ended);
    await this.#crash('step.done');
    return kept;
  }

  async #takeIn(tx: Queryable, name: string, work: (tx: never) => unknown): Promise<unknown> {
    requireCapability(this.engine.store.capabilities, 'transactional', 'step.in');
    // a transaction that failed may be tried again
    if (this.#asked.get(name)?.isOpen === false) this.#asked.delete(name);
    const asked = this.#ask(name);
    try {
      const row = await this.#find(name, asked);
      if (row !== null) return read(row, null);
      return await this.#follow(this.#doIn(tx, name, asked, work));
    } finally {
      asked.isOpen = false;
    }
  }

  async #doIn(tx: Queryable, name: string, asked: Asked, work: (tx: never) => unknown): Promise<Json> {
    const ended = this.#row(name, asked, encode(name, await work(tx as never)));
    const { id, fence } = this.owned.run;
    const answer = await this.engine.store.writeStepIn(tx, { ...ended, id, fence });
    if (answer === 'lost') throw lost(name);
    // not permanent: the next attempt finds it
    if (answer === 'kept') throw new Error(`The step ${JSON.stringify(name)} was done by another claim meanwhile.`);
    return ended.result;
  }

  /** Notes that the attempt asks for a step. */
  #ask(name: string): Asked {
    const isFine =
      typeof name === 'string' && name.length >= 1 && name.length <= MAX_NAME && findUnstorableText(name) === null;
    if (!isFine)
      throw new StepMisuseError(
        'step_misused',
        `The name of a step is 1 to ${MAX_NAME} characters without NUL and half surrogate pairs, not ${showValue(name)}.`,
      );
    if (this.#asked.has(name))
      throw new StepMisuseError(
        'step_named_twice',
        `This attempt has asked for the step ${JSON.stringify(name)} before: give each step a name of its own, in loops a number.`,
      );
    const asked = { seq: ++this.#seq, atMs: this.engine.clock.monotonicMs(), isOpen: true };
    this.#asked.set(name, asked);
    return asked;
  }

  /** What is known of a step; null: it begins now. */
  async #find(name: string, asked: Asked): Promise<StepRow | null> {
    const { reason } = this.owned.abort;
    if (this.#isOver) return never();
    if (reason !== null) throw reason;
    const row = await (await this.#open()).ask(name);
    if (row !== null) asked.isOpen = false;
    else {
      // what has failed is so for good before anything compensates for it
      for (const { row: failed, error } of this.#failures.splice(0)) {
        await this.#write(failed);
        error.isPermanent = true;
      }
      if (this.#isOver) return never();
      if (this.owned.abort.reason !== null) throw this.owned.abort.reason;
    }
    return row;
  }

  /** A run that was never claimed before has done nothing. */
  #open(): Promise<Replay> {
    return (this.#replay ??= this.#read());
  }

  async #read(): Promise<Replay> {
    const { id, fence } = this.owned.run;
    const { done: rows, waits } = fence === 1 ? NOTHING : await this.engine.store.readSteps(id, fence);
    this.#waits = new Map(waits.map((wait) => [wait.name, wait]));
    this.#seq += Math.max(0, ...rows.map(({ doneSeq }) => doneSeq));
    return new Replay(this.engine.clock, new Map(rows.map((row) => [row.name, row])), (done, name) => {
      this.#isOver = true;
      this.#stop(changed(done, `it asks for the new step ${JSON.stringify(name)}`));
    });
  }

  #row(name: string, asked: Asked, result: Json, error: StepFailure | null = null): Ended {
    asked.isOpen = false;
    const open = [...this.#asked].filter(([, other]) => other.isOpen).map(([other]) => other);
    return {
      name,
      status: error === null ? 'done' : 'failed',
      askedSeq: asked.seq,
      doneSeq: ++this.#seq,
      open,
      result,
      error,
      tookMs: this.engine.clock.monotonicMs() - asked.atMs,
    };
  }

  /** The row that the run has of this step: the one that was written first. */
  async #write(row: Ended): Promise<StepRow> {
    const { run, lease } = this.owned;
    const answer: StepAnswer = await this.engine.steps.write({ ...row, id: run.id, fence: run.fence }, lease);
    if (answer === 'lost') throw lost(row.name);
    if (answer === 'written') return row;
    const { done } = await this.engine.store.readSteps(run.id, run.fence);
    return done.find(({ name }) => name === row.name) ?? row;
  }

  async #crash(point: 'step.before' | 'step.done'): Promise<void> {
    if (this.engine.crashHook !== null) await this.engine.crashHook(point, this.owned.run);
  }
}

export const lost = (name: string): AbortReason =>
  new AbortReason(
    'lease_lost',
    `The lease of this run was lost before the step ${JSON.stringify(name)} could be written.`,
  );

const changed = (done: string, how: string): StepMisuseError =>
  new StepMisuseError(
    'steps_changed',
    `The run has done the step ${JSON.stringify(done)}, and its handler, which has changed since, does not ask for it: ${how}. Deploy code that does, and retry the job.`,
  );

/** As a store gives it back: the same in the attempt that did it and in those that follow. */
function encode(name: string, value: unknown): Json {
  const refuse = (reason: string): StepMisuseError =>
    new StepMisuseError('step_misused', `The result of the step ${JSON.stringify(name)} cannot be stored: ${reason}.`);
  return JSON.parse(encodeJson(value ?? null, refuse)) as Json;
}

function read({ name, error, result }: StepRow, schema: StandardSchema | null): unknown {
  if (error !== null) throw new StepFailedError(name, error, true);
  return schema === null ? result : parseKept(name, result, schema);
}

/** The result of a step, as its schema makes it. */
export function parseKept(name: string, result: Json, schema: StandardSchema): unknown {
  const parsed = parseValue(schema, result);
  if (parsed.success) return parsed.data;
  const issues = parsed.issues.map((issue) => `${issue.pointer} ${issue.message}`).join('; ');
  throw new StepMisuseError(
    'step_misused',
    `The result of the step ${JSON.stringify(name)} does not fit its schema: ${issues}.`,
  );
}
