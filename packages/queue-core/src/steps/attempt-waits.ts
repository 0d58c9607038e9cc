import { keyOfSignal, parseDuration, type Duration, type JobContract, type SignalContract } from '@duework/contracts';
import { DueworkError } from '@duework/sql/errors';
import type { Approval, ApprovalOptions } from '../approvals/approval.js';
import type { OwnedRun } from '../claim/owned-run.js';
import { pause } from '../clock.js';
import { jobRequest } from '../enqueue/job-request.js';
import { sendThroughHook } from '../enqueue/send-through-hook.js';
import { makeNewRun } from '../enqueue/make-new-run.js';
import { readOffloaded } from '../objects/read-offloaded.js';
import type { NewWait, StepRow } from '../ports/steps.js';
import type { Json } from '../queue/job.js';
import { nameId, splitId } from '../queue/shard-id.js';
import { currentKeyRing } from '../secrets/current-key-ring.js';
import type { KeyRing } from '../secrets/key-ring.js';
import { noteSignal, sensitiveValues } from '../secrets/make-cleaner.js';
import { unsealSignal } from '../secrets/signal-values.js';
import { unsealPayload } from '../secrets/unseal-payload.js';
import { lost, parseKept, type AttemptSteps, type StepNeeds } from './attempt-steps.js';
import type { ChildOptions, DurableContext, JobEnd, StepWaitOptions } from './durable-context.js';
import { StepFailedError } from '../step-errors.js';
import { StepMisuseError } from '../step-misuse-error.js';

/** A transaction that is about to end a wait is over after this, nearly always. */
const BUSY_MS = 50;
const MAX_BUSY_MS = 1_000;

type Waiting = Pick<NewWait, 'afterMs' | 'until' | 'awaits' | 'awaited'>;

/** What a handler waits for, and the jobs that it enqueues to wait for them: each is a step that something else ends. */
export class AttemptWaits implements Omit<DurableContext, 'step' | 'patched'> {
  constructor(
    private readonly engine: StepNeeds,
    private readonly owned: OwnedRun,
    private readonly steps: AttemptSteps,
  ) {}

  readonly sleep = (time: Duration | Date, { name }: { readonly name?: string } = {}): Promise<void> =>
    this.steps.go(async () => {
      // a moment may be another one in each attempt: the first one counts
      const end = time instanceof Date ? { until: time.toISOString() } : { afterMs: parseDuration(time) };
      await this.#wait(name ?? (time instanceof Date ? 'sleep' : `sleep ${time}`), end);
    });

  readonly waitFor = ((
    signal: SignalContract,
    { where, timeout, name }: StepWaitOptions & { readonly where: object },
  ): Promise<unknown> =>
    this.steps.go(async () => {
      const awaited = `${signal.name} ${keyOfSignal(signal, where)}`;
      checkKey(this.owned, signal, where);
      const row = await this.#wait(name ?? `wait for ${signal.name}`, { ...until(timeout), awaits: 'signal', awaited });
      if (row.result === null) return null;
      const payload = unsealSignal(signal, row.result) as Json;
      noteSignal(this.owned.run, signal, payload);
      return parseKept(row.name, payload, signal.payload);
    })) as DurableContext['waitFor'];

  /** Loaded with the first that is asked for; the run does not go to wait meanwhile. */
  readonly waitForApproval = (async (options: ApprovalOptions): Promise<Approval | null> => {
    const { waitForApproval } = await this.steps.go(() => import('../approvals/wait-for-approval.js'));
    const { id } = this.owned.run;
    const { step } = this.steps;
    const { sleep, waitFor } = this;
    const job = outerId(id, this.engine.store.shard);
    return waitForApproval({ step, sleep, waitFor, id, job, ring: ringOfLinks, refuse: misused }, options);
  }) as DurableContext['waitForApproval'];

  readonly waitForJob = ((id: string, { timeout, name }: StepWaitOptions = {}): Promise<JobEnd | null> =>
    this.steps.go(async () => {
      const { shard } = this.engine.store;
      const awaited = ownId(id, shard);
      const row = await this.#wait(name ?? `wait for job ${id}`, { ...until(timeout), awaits: 'job', awaited });
      return row.result === null ? null : { ...(await readEnd(row.result)), id: outerId(awaited, shard) };
    })) as DurableContext['waitForJob'];

  readonly child = ((contract: JobContract, payload: unknown, options: ChildOptions = {}): Promise<unknown> =>
    this.steps.go(async () => {
      const { name = contract.type } = options;
      const row = await this.#wait(name, { awaits: 'child' }, () =>
        this.#enqueueChild(name, contract, payload, options),
      );
      return resultOfChild(row, contract);
    })) as DurableContext['child'];

  /** Its end, once that is there. `findAwaited`: enqueues the job that is waited for. */
  async #wait(name: string, given: Partial<Waiting>, findAwaited?: () => Promise<string>): Promise<StepRow> {
    const row = await this.#waitAnyhow(name, given, findAwaited);
    // an operator has failed it
    if (row.error !== null) throw new StepFailedError(name, row.error, true);
    return row;
  }

  async #waitAnyhow(name: string, given: Partial<Waiting>, findAwaited?: () => Promise<string>): Promise<StepRow> {
    const { row, since, seq } = await this.steps.askForWait(name);
    if (row !== null) return row;
    // one for which somebody sends a signal asks again: it may have been sent while its run was dead
    if (since !== undefined && given.awaits !== 'signal') return this.#goOnWaiting(name, since.wakesAt);
    const awaited = findAwaited === undefined ? (given.awaited ?? null) : await findAwaited();
    return this.#begin({ ...NEVER, ...given, awaited, ...this.#claim(name), askedSeq: seq });
  }

  async #begin(wait: NewWait): Promise<StepRow> {
    const { name } = wait;
    const answer = await this.#untilFree(async () => {
      await this.#crash('wait.before');
      const given = await this.engine.waits.write(wait, this.owned.lease);
      await this.#crash('wait.begun');
      return given.kind === 'busy' ? null : given;
    });
    switch (answer.kind) {
      case 'waiting':
        return this.#goOnWaiting(name, answer.wakesAt);
      case 'done':
        return this.#end(name);
      case 'lost':
        throw lost(name);
      case 'unknown':
        throw misused(
          `The step ${JSON.stringify(name)} waits for job ${wait.awaited}, but there is no such job: it may have been pruned.`,
        );
    }
  }

  async #goOnWaiting(name: string, wakesAt: string | null): Promise<StepRow> {
    const wakesAtMs = wakesAt === null ? Infinity : Date.parse(wakesAt);
    return wakesAtMs > this.steps.nowMs ? this.steps.park(wakesAtMs) : this.#end(name);
  }

  #end(name: string): Promise<StepRow> {
    return this.#untilFree(() => this.steps.endWait(name));
  }

  /** Asks again while a transaction that is about to end the wait is open, which answers null. */
  async #untilFree<T>(ask: () => Promise<T | null>): Promise<T> {
    for (let busyMs = BUSY_MS; ; busyMs = Math.min(busyMs * 2, MAX_BUSY_MS)) {
      const answer = await ask();
      if (answer !== null) return answer;
      await this.#pause(busyMs);
    }
  }

  async #pause(ms: number): Promise<void> {
    await pause(this.engine.clock, ms);
    const { reason } = this.owned.abort;
    if (reason !== null) throw reason;
  }

  async #enqueueChild(name: string, contract: JobContract, payload: unknown, options: ChildOptions): Promise<string> {
    const { name: _, ...given } = options;
    // one, however often it is asked for; a contract's own key says more
    const key = contract.keyOf === null ? { idempotencyKey: `child:${this.owned.run.id}:${name}` } : {};
    const run = makeNewRun(jobRequest(contract, payload as never, { ...key, ...given }));
    const sent = await sendThroughHook([run], async ([made]) => {
      const job = await this.engine.children.write(made!, this.owned.lease);
      return job === null ? null : [job];
    });
    if (sent === null) throw lost(name);
    return sent[0]!.id;
  }

  async #crash(point: 'wait.before' | 'wait.begun'): Promise<void> {
    if (this.engine.crashHook !== null) await this.engine.crashHook(point, this.owned.run);
  }

  #claim(name: string): Pick<NewWait, 'id' | 'fence' | 'name'> {
    const { id, fence } = this.owned.run;
    return { id, fence, name };
  }
}

/** What is shorter may be equal by chance, and a job must not fail by that. */
const LEAST_KEY = 7;

/** Throws `StepMisuseError` (`wait_by_sensitive`) where a run waits by a sensitive value of its payload: keys are kept in plain text. */
function checkKey({ contract, run }: OwnedRun, { name, by }: SignalContract, where: object): void {
  if (contract.sensitiveEver.length === 0) return;
  const plain = unsealPayload(contract, run.version, run.payload);
  const sensitive = new Set(sensitiveValues(contract, plain).map(({ value }) => String(value)));
  const field = by.find((one) => {
    const value = String((where as Readonly<Record<string, unknown>>)[one]);
    return value.length >= LEAST_KEY && sensitive.has(value);
  });
  if (field !== undefined)
    throw new StepMisuseError(
      'wait_by_sensitive',
      `The signal ${name} is waited for by ${field}, a sensitive value of the payload, and keys are kept in plain text.`,
    );
}

const misused = (why: string): StepMisuseError => new StepMisuseError('step_misused', why);

function ringOfLinks(): KeyRing {
  const ring = currentKeyRing();
  if (ring === null) throw new DueworkError('key_ring_missing', { type: 'An approval link' });
  return ring;
}

const NEVER: Waiting = { afterMs: null, until: null, awaits: null, awaited: null };

const until = (timeout: Duration | undefined): Pick<Waiting, 'afterMs'> => ({
  afterMs: timeout === undefined ? null : parseDuration(timeout),
});

const outerId = (id: string, shard: string | undefined): string => (shard === undefined ? id : nameId(shard, id));

/** A job of another shard ends in a database that does not know who waits. */
function ownId(given: string, shard: string | undefined): string {
  const { shard: named, id } = splitId(given);
  if (named !== null && named !== shard)
    throw new StepMisuseError(
      'other_shard',
      `Job ${given} is in another shard: a handler can wait for jobs of its own one.`,
    );
  return id;
}

type Stored = Pick<JobEnd, 'id' | 'status'> & Partial<JobEnd>;

/** A large result is in an object, which is read again by each attempt. */
async function readEnd(stored: Json): Promise<JobEnd> {
  const end = toJobEnd(stored);
  return { ...end, result: await readOffloaded(end.result) };
}

function toJobEnd(stored: Json): JobEnd {
  // what is null is left out where it is stored
  const { id, status, result = null, errorCode = null, error = null } = stored as unknown as Stored;
  return { id, status, result, errorCode, error };
}

/** What the child has returned. Throws `StepFailedError` where it is dead or cancelled, in each attempt. */
async function resultOfChild({ name, result: stored }: StepRow, contract: JobContract): Promise<unknown> {
  const { id, status, result, errorCode, error } = await readEnd(stored);
  if (status === 'succeeded') return parseKept(name, result, contract.result);
  const failure = {
    code: errorCode ?? `job_${status}`,
    type: 'ChildFailed',
    message: `Job ${id} (${contract.type}) is ${status}${error === null ? '' : `: ${error}`}`,
  };
  throw new StepFailedError(name, failure, true);
}
