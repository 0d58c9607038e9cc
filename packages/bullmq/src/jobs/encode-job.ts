import { createHash } from 'node:crypto';
import { toTerms, type NewRun, type RunTerms } from '@duework/queue-core/ports';
import { makeJobId } from './job-id.js';

/** What is known of a run from its first day, beside its payload: one text among the options of its job in BullMQ. */
export interface JobNotes {
  readonly version: number;
  readonly key: string | null;
  readonly meta: string | null;
  readonly createdAtMs: number;
  readonly runAtMs: number;
  /** Not there: nothing was agreed. */
  readonly terms?: RunTerms;
}

/** A job as `queue.addBulk` takes it. */
export interface EncodedJob {
  readonly name: string;
  readonly data: unknown;
  readonly opts: {
    readonly jobId: string;
    readonly timestamp: number;
    readonly delay?: number;
    readonly priority: number;
    readonly attempts: number;
    readonly deduplication?: { readonly id: string; readonly ttl: number };
    readonly duework: string;
  };
}

/** A key without a window holds as long as its run is kept: BullMQ frees it with the run, and this is never reached. */
const KEPT_MS = 10 * 365 * 86_400_000;

/**
 * The job of BullMQ that stands for a run. What its own tools show is plain: the name is the type, the data the payload.
 *
 * @param jobId its id in BullMQ, where the caller gives it so that a second delivery changes nothing; else a new one
 */
export function encodeJob(run: NewRun, nowMs: number, jobId: string = makeJobId(nowMs)): EncodedJob {
  const { type, version, priority, maxAttempts, key, keyWindowMs, payloadJson, metaJson } = run;
  const runAtMs = run.runAt === null ? nowMs + run.delayMs : Date.parse(run.runAt);
  // nobody waits in a line here
  const { maxWaitMs: _, ...agreed } = run.flow?.terms ?? {};
  const terms = run.flow?.terms === undefined ? null : toTerms(agreed, runAtMs);
  const notes: JobNotes = { version, key, meta: metaJson, createdAtMs: nowMs, runAtMs, ...(terms && { terms }) };
  return {
    name: type,
    data: JSON.parse(payloadJson),
    opts: {
      jobId,
      ...placeInTime(run, nowMs, runAtMs),
      priority: priority + 1,
      attempts: maxAttempts,
      ...(key === null ? {} : { deduplication: { id: toKeyId(type, key), ttl: keyWindowMs ?? KEPT_MS } }),
      duework: JSON.stringify(notes),
    },
  };
}

/**
 * One that is due since a moment in the past stands among those with a delay, which become due in the order of their
 * moments; one that is due now stands in line at once.
 */
function placeInTime({ runAt }: NewRun, nowMs: number, runAtMs: number): { timestamp: number; delay?: number } {
  if (runAtMs > nowMs) return { timestamp: nowMs, delay: runAtMs - nowMs };
  return runAt === null ? { timestamp: nowMs } : { timestamp: runAtMs - 1, delay: 1 };
}

/** What BullMQ knows an idempotency key by, whatever is in it: one of a type is another than the same of another type. */
export function toKeyId(type: string, key: string): string {
  return createHash('sha256').update(`${type}\n${key}`).digest('base64url');
}
