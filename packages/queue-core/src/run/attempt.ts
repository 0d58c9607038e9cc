import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';
import type { ClaimedRun } from '../ports/runs.js';
import type { AbortReason } from '../settle/attempt-end.js';
import { soon, type Clock } from '../clock.js';
import type { HandlerLog } from './handler.js';

/** What knows its run: a held one, or the context of a job. */
interface Attempt {
  readonly run: ClaimedRun;
}

/**
 * The async context of what an attempt calls. A handler may leave a context behind (`AsyncLocalStorage.enterWith`: a
 * tenant, a user, a trace), and each call of it starts in one of its own, made of that in which the worker was started: no
 * job begins with what another one left. Within it stands for which attempts that is, so that an error that is thrown outside
 * of the handler's promise, from a timer, an emitter or a promise that nobody awaits, finds the attempt it came from.
 *
 * What the worker does for many attempts at once, such as a batch that one of them begins, has to leave the context of
 * that one: it is bound by `AsyncResource.bind` where it is made.
 */
const called = new AsyncLocalStorage<readonly Attempt[]>();

/** Calls code of the user's for these attempts, in a context of its own. */
export function callApart<R>(attempts: readonly Attempt[], call: () => R): R {
  // a new one each time, because `enterWith` changes the resource in which it is called
  return new AsyncResource('DueworkAttempt', { requireManualDestroy: true }).runInAsyncScope(() =>
    called.run(attempts, call),
  );
}

/** The attempt, or those of the call of many, from which this comes; none: it comes from no attempt. */
export function attemptsHere(): readonly Attempt[] {
  return called.getStore() ?? [];
}

/**
 * Aborts one attempt, once: the first reason stays. Its AbortSignal is made when the handler first reads it, because
 * making one costs more than all the rest of an attempt, and most handlers never read it.
 */
export class AttemptAbort {
  #reason: AbortReason | null = null;
  #controller: AbortController | null = null;
  #listener: (() => void) | null = null;

  constructor(private readonly held: Attempt) {}

  /** null: the attempt was not aborted. */
  get reason(): AbortReason | null {
    return this.#reason;
  }

  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      // each call of a handler's that takes the signal listens, and a hundred at once are no leak
      setMaxListeners(0, this.#controller.signal);
      if (this.#reason !== null) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  abort(reason: AbortReason): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    const controller = this.#controller;
    // listeners are the handler's code
    if (controller !== null) callApart([this.held], () => controller.abort(reason));
    this.#listener?.();
  }

  /** Sets the one listener that is called on the abort; null removes it. */
  listen(listener: (() => void) | null): void {
    this.#listener = listener;
  }
}

/** What has a time limit, and starts its timer. */
interface Limited {
  startTimer: (() => void) | null;
}

/**
 * Starts timers only for attempts that outlive the turn of the event loop in which they began: no timer can fire before
 * that turn ends, most quick handlers are over by then, and a timer for each would be a tenth of what a worker does for
 * a run.
 */
export class TimeLimits {
  #begun: Limited[] = [];

  constructor(private readonly clock: Clock) {}

  /** Calls `start` when the event loop has turned, unless `forget` was called by then. */
  begin(held: Limited, start: () => void): void {
    held.startTimer = start;
    // keeps the runs, not their `start` functions: this list must not keep what an ended attempt refers to
    if (this.#begun.push(held) === 1) soon(this.clock, () => this.#startAll());
  }

  /** The attempt has ended. */
  forget(held: Limited): void {
    held.startTimer = null;
  }

  #startAll(): void {
    const begun = this.#begun;
    this.#begun = [];
    for (const held of begun) {
      held.startTimer?.();
      held.startTimer = null;
    }
  }
}

const MOST_CHARACTERS = 8_000;
const MOST_OF_A_LINE = 1_000;

/** A handler's log that passes its lines on, and keeps the last ones of an attempt, for the case that it fails. */
export class KeptLog implements HandlerLog {
  readonly #lines: string[] = [];
  readonly #startedMs: number;
  #characters = 0;

  constructor(
    private readonly inner: HandlerLog,
    private readonly clock: Clock,
  ) {
    this.#startedMs = clock.monotonicMs();
  }

  readonly debug = (facts: object, message?: string): void => this.#tell('debug', facts, message);
  readonly info = (facts: object, message?: string): void => this.#tell('info', facts, message);
  readonly warn = (facts: object, message?: string): void => this.#tell('warn', facts, message);
  readonly error = (facts: object, message?: string): void => this.#tell('error', facts, message);

  /** The last lines, of up to 8,000 characters; null: there is none. */
  text(): string | null {
    return this.#lines.length === 0 ? null : this.#lines.join('\n');
  }

  #tell(level: keyof HandlerLog, facts: object, message: string | undefined): void {
    this.inner[level](facts, message);
    const at = ((this.clock.monotonicMs() - this.#startedMs) / 1_000).toFixed(3);
    const line = [`+${at}s`, level, message, show(facts)].filter((part) => part !== undefined).join(' ');
    const kept = line.length > MOST_OF_A_LINE ? `${line.slice(0, MOST_OF_A_LINE - 1)}…` : line;
    this.#lines.push(kept);
    this.#characters += kept.length + 1;
    while (this.#characters > MOST_CHARACTERS) this.#characters -= this.#lines.shift()!.length + 1;
  }
}

/** What handlers without types log may be anything; what cannot be told is left out. */
function show(facts: unknown): string | undefined {
  if (typeof facts !== 'object' || facts === null) return facts === undefined ? undefined : String(facts);
  try {
    const text = JSON.stringify(facts, (_, value: unknown) =>
      value instanceof Error ? `${value.name}: ${value.message}` : typeof value === 'bigint' ? String(value) : value,
    );
    return text === '{}' ? undefined : text;
  } catch {
    return '(facts that are no JSON)';
  }
}

/**
 * The moments at which a process that dies leaves something open: a claim is committed and its worker does not know it
 * yet; an effect is written as begun, or has happened, and is not written as done; a step has ended and is not written,
 * or is written and its handler does not know it; an outcome is decided and not written, or is written and not reported.
 * A test makes a worker die there.
 */
export const CRASH_POINTS = [
  'claim.committed',
  'handler.before',
  'effect.before',
  'effect.after',
  'step.before',
  'step.done',
  'settle.before',
  'settle.committed',
] as const;

/** Those that only a handler that waits comes to: what it waits for is there and its wait is not, or is, and it does not know. */
export const WAIT_CRASH_POINTS = ['wait.before', 'wait.begun'] as const;
export type CrashPoint = (typeof CRASH_POINTS)[number] | (typeof WAIT_CRASH_POINTS)[number];

/** For tests: called at each crash point, and awaited. It must not throw. */
export type CrashHook = (point: CrashPoint, run: ClaimedRun) => void | Promise<void>;
