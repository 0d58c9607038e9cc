/**
 * The async context of what an attempt calls. A handler may leave a context behind (`AsyncLocalStorage.enterWith`: a
 * tenant, a user, a trace), and each call of it starts in one of its own, made of that in which the worker was started: no
 * job begins with what another one left. Within it stands for which attempts that is, so that an error that is thrown outside
 * of the handler's promise, from a timer, an emitter or a promise that nobody awaits, finds the attempt it came from.
 *
 * What the worker does for many attempts at once, such as a batch that one of them begins, has to leave the context of
 * that one: it is bound by `AsyncResource.bind` where it is made.
 */
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import type { ClaimedRun } from '../ports/runs.js';

/** What knows its run: a held one, or the context of a job. */
export interface Attempt {
  readonly run: ClaimedRun;
}

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
