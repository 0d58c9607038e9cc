import type { JobContract } from '@duework/contracts';
import { AbortReason, classifyError, type JobContext, makeCleaner, type Outcome } from '@duework/queue-core';

/** How an attempt ended, as its span tells it. */
export interface AttemptEnd {
  /** A kind of outcome, `failed`, or the code of its abort. */
  readonly outcome: string;
  readonly error: AttemptError | null;
}

/** An error without values of the payload and without secrets. */
export interface AttemptError {
  /** The same code that the job keeps. */
  readonly code: string;
  /** null: it cannot be told which values it quotes. */
  readonly message: string | null;
  /** What was thrown; null: the handler returned an outcome, or it is the abort itself. */
  readonly exception: { readonly type: string; readonly stack: string | null } | null;
}

type Run = JobContext['run'];
/** Undefined: the middleware was given another catalog than its worker. */
type Contract = JobContract | undefined;

/** Ends of attempts that no error caused. */
const EXPECTED: ReadonlySet<string> = new Set(['cancelled', 'shutting_down']);

/** What became of an attempt whose handler returned. */
export function describeOutcome(run: Run, contract: Contract, outcome: Outcome<unknown>): AttemptEnd {
  if (outcome.kind !== 'retry' && outcome.kind !== 'bury') return { outcome: outcome.kind, error: null };
  const { code, message } = clean(run, contract, { code: outcome.code, message: outcome.reason });
  return { outcome: outcome.kind, error: { code, message, exception: null } };
}

/** What became of an attempt whose handler threw; an abort counts more than what the handler made of it. */
export function describeFailure({ run, signal }: JobContext, contract: Contract, error: unknown): AttemptEnd {
  const reason: unknown = signal.aborted ? signal.reason : error;
  if (!AbortReason.is(reason)) return { outcome: 'failed', error: clean(run, contract, error) };
  const thrown = error === reason ? null : clean(run, contract, error);
  return describeAbort(reason, thrown);
}

/** `thrown`: what the handler threw when it was aborted, if that was another error. */
export function describeAbort({ code, message }: AbortReason, thrown: AttemptError | null = null): AttemptEnd {
  if (EXPECTED.has(code)) return { outcome: code, error: null };
  return { outcome: code, error: { code, message, exception: thrown?.exception ?? null } };
}

function clean(run: Run, contract: Contract, error: unknown): AttemptError {
  if (contract === undefined) return { code: classifyError(error).record.code, message: null, exception: null };
  const { code, type, message, stack } = classifyError(error, contract.errors, makeCleaner(contract, run)).record;
  return { code, message, exception: { type, stack } };
}
