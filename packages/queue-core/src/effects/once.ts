import type { EffectContext, Once, OnceOptions } from './effect-context.js';
import { EffectMisuseError, EffectUnknownError } from './effect-errors.js';
import type { EffectPolicy } from '@duework/contracts';
import { pause, type Clock } from '../clock.js';
import { encodeJson } from '../enqueue/encode-payload.js';
import type { CrashHook } from '../run/attempt.js';
import { classifyError, httpStatus, toErrorRecord } from '../settle/classify-error.js';
import { AbortReason } from '../settle/attempt-end.js';
import type { Json } from '../queue/job.js';
import type { EffectEnding, EffectKey, EffectStore } from '../ports/effects.js';
import type { ClaimedRun } from '../ports/runs.js';
import { findUnstorableText, readSqlstate, showValue } from '@duework/sql/errors';
import { nameId } from '../queue/shard-id.js';

const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
const RETRY_MS = 100;
const MAX_NAME = 255;

/** What `once` needs of its attempt. */
export interface OnceParts {
  readonly store: EffectStore;
  readonly clock: Clock;
  readonly run: ClaimedRun;
  /** The shard of the run: another one may have a run of the same number. Absent: there is one database. */
  readonly shard: string | undefined;
  readonly policy: EffectPolicy;
  readonly signal: AbortSignal;
  /**
   * Whether the lease is over, as far as this process can know. `confirmedMs`: on its monotonic clock, before a statement
   * was sent whose answer has confirmed the lease; where that was long ago, the lease is renewed first.
   */
  readonly isLeaseOver: (confirmedMs: number) => Promise<boolean>;
  readonly crashHook: CrashHook | null;
}

/**
 * Makes the `once` of one attempt: an effect happens once per business key of its run (or per run, where it has none),
 * across attempts, workers and crashes; a second call gets the first one's result.
 *
 * A row is committed before the effect and completed after it. After a crash between the two no database can say
 * whether the effect happened: `at_most_once` lets a person decide, `at_least_once` does it again under the same key.
 */
export function makeOnce(attempt: OnceParts): Once {
  const { run, signal } = attempt;
  const active = new Set<string>();
  return async (name, effect, options = {}) => {
    const ownKey = options.key ?? run.idempotencyKey;
    const key: EffectKey = { type: run.type, runKey: ownKey ?? `run:${run.id}`, name };
    checkNames(key);
    const about = `the effect ${JSON.stringify(name)} of ${key.type} ${key.runKey}`;
    if (active.has(name))
      throw new EffectMisuseError(`This attempt already does ${about}: give each effect a name of its own.`);
    active.add(name);
    try {
      signal.throwIfAborted();
      const outerKey = ownKey ?? `run:${attempt.shard === undefined ? run.id : nameId(attempt.shard, run.id)}`;
      return (await perform({ ...attempt, key, outerKey, about, options }, effect)) as never;
    } finally {
      active.delete(name);
    }
  };
}

/** Checks name and key, which are columns of an index. */
function checkNames({ runKey, name }: EffectKey): void {
  for (const [what, text] of [
    ['name', name],
    ['key', runKey],
  ] as const) {
    const isFine =
      typeof text === 'string' && text.length >= 1 && text.length <= MAX_NAME && findUnstorableText(text) === null;
    if (!isFine)
      throw new EffectMisuseError(
        `The ${what} of an effect is 1 to ${MAX_NAME} characters without NUL and half surrogate pairs, not ${showValue(text)}.`,
      );
  }
}

interface Performance extends OnceParts {
  readonly key: EffectKey;
  /** Its `runKey` for those outside, for whom a run's number is not enough. */
  readonly outerKey: string;
  readonly about: string;
  readonly options: OnceOptions;
}

async function perform(performance: Performance, effect: (about: EffectContext) => unknown): Promise<unknown> {
  const { store, clock, run, signal, key, about, options, crashHook } = performance;
  const end = (ending: EffectEnding): Promise<boolean> =>
    persist(clock, signal, () => store.endEffect(key, run, ending));
  const state = { isBegun: false, isRepeat: false };
  const begin = async (): Promise<{ result: Json } | null> => {
    // the same claim may begin twice: after a lost answer the statement is sent again
    let askedMs = clock.monotonicMs();
    const answer = await persist(clock, signal, () => {
      askedMs = clock.monotonicMs();
      return store.beginEffect({ ...key, id: run.id, fence: run.fence, policy: performance.policy });
    });
    if (answer.kind === 'done') return { result: answer.result };
    if (answer.kind === 'lost') throw new AbortReason('lease_lost', `The lease of this run was lost before ${about}.`);
    if (answer.kind === 'unknown')
      throw new EffectUnknownError(`A worker died during ${about}, so it may have happened. ${whatToDo(performance)}`);
    await giveWay(performance, answer.isRepeat, askedMs);
    Object.assign(state, { isBegun: true, isRepeat: answer.isRepeat });
    if (crashHook !== null) await crashHook('effect.before', run);
    return null;
  };
  const earlier = options.beginLate === true ? await store.findEffect(key) : await begin();
  if (earlier !== null) return earlier.result;
  const context: EffectContext = {
    key: `${key.type}:${performance.outerKey}:${key.name}`,
    get isRepeat() {
      return state.isRepeat;
    },
    begin: async () => {
      if (state.isBegun) return;
      if ((await begin()) !== null) throw new Error(`Another attempt has done ${about} meanwhile.`);
    },
  };
  let result: unknown;
  try {
    result = await effect(context);
  } catch (error) {
    // an effect that has not begun has not happened
    throw state.isBegun ? await settleFailure(performance, error, state.isRepeat, end) : error;
  }
  if (!state.isBegun) throw new EffectMisuseError(`${about} asked to begin late and never did.`);
  if (crashHook !== null) await crashHook('effect.after', run);
  await end({
    kind: 'done',
    resultJson: encodeJson(
      result ?? null,
      (reason) => new EffectMisuseError(`The result of ${about} cannot be stored: ${reason}.`),
    ),
  });
  return result;
}

/**
 * The answer to `begin` may have come late: the process was suspended, or the attempt was aborted meanwhile. Nothing
 * has happened yet, so the effect is left to the claim that has the run now; its row is taken back unless that claim
 * has taken it over.
 */
async function giveWay(
  { store, signal, isLeaseOver, key, run, about }: Performance,
  isRepeat: boolean,
  askedMs: number,
): Promise<void> {
  const isOver = await isLeaseOver(askedMs);
  if (!isOver && !signal.aborted) return;
  // a row that cannot be taken back stays begun, as after a crash, and the next attempt decides
  await store.endEffect(key, run, { kind: isRepeat ? 'not_repeated' : 'undone' }).catch(() => false);
  signal.throwIfAborted();
  throw new AbortReason('lease_lost', `The lease of this run was over before ${about} could begin.`);
}

/** Returns what to throw after an effect threw: its own error where the effect may be tried again. */
async function settleFailure(
  performance: Performance,
  error: unknown,
  isRepeat: boolean,
  end: (ending: EffectEnding) => Promise<boolean>,
): Promise<unknown> {
  const { about, policy, options } = performance;
  if ((options.didNotHappen ?? isUndone)(error)) {
    await end({ kind: isRepeat ? 'not_repeated' : 'undone' });
    return error;
  }
  if (policy === 'at_least_once') return error;
  await end({ kind: 'unknown' });
  const { message } = toErrorRecord(error);
  return new EffectUnknownError(`${message} (so ${about} may have happened. ${whatToDo(performance)})`, {
    cause: error,
  });
}

function whatToDo({ run, shard }: Performance): string {
  const id = shard === undefined ? run.id : nameId(shard, run.id);
  return (
    `Look at the other side first. If it has happened: npx duework retry ${id} --effects-happened. ` +
    'If not, the same without that option does it again.'
  );
}

/**
 * Sends a statement again while the database is away, until the attempt is aborted: the effect has happened, or is
 * about to.
 */
async function persist<T>(clock: Clock, signal: AbortSignal, statement: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await statement();
    } catch (error) {
      if (signal.aborted || isFinal(error)) throw error;
      await pause(clock, RETRY_MS, signal);
    }
  }
}

/** Whether the same statement would be refused again: its data, a constraint, a right or an object that is missing. */
const isFinal = (error: unknown): boolean =>
  /^(22|23|42)/.test(readSqlstate(error) ?? '') || classifyError(error).isPermanent;

/**
 * Whether an error proves that nothing was done: the connection was never made, or the other side has refused, by SMTP
 * 4yz or 5yz ("the requested action did not occur", RFC 5321, 4.2.1) or HTTP 429 (RFC 6585, 4).
 */
export function isUndone(error: unknown): boolean {
  const told = Object(error) as Record<string, unknown>;
  return (
    NEVER_CONNECTED.has(toErrorRecord(error).code) || Number(told['responseCode']) >= 400 || httpStatus(told) === 429
  );
}
