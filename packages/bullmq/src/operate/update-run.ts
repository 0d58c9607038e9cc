import type { RunTerms, RunUpdate, UpdateAnswer } from '@duework/queue-core/ports';
import { hasStarted, type BullmqRun } from '../jobs/decode-job.js';
import { FIELD, type Fields } from '../jobs/fields.js';
import { writeNotes } from '../jobs/write-notes.js';
import { moveTerms } from '../terms/run-terms.js';
import type { Queues } from '../redis/queues.js';
import { changeRun } from './change-run.js';
import { placeOf } from './find-run.js';

/** Changes a run that waits. null: it has finished, or is not there. */
export async function updateRun(queues: Queues, id: string, update: RunUpdate): Promise<UpdateAnswer | null> {
  const placed = placeOf(id);
  let expiresAt: string | undefined;
  const answer = await changeRun<UpdateAnswer | null>(queues, placed, (run) => {
    if (run === null || run.finishedAtMs !== null) return { answer: null };
    const { status, type, attempts } = run;
    const isOther = update.payload !== null && update.payload.type !== type;
    const isRefused = status === 'running' || isOther || attempts >= (update.maxAttempts ?? run.maxAttempts);
    if (isRefused) return { answer: { isUpdated: false, status, type, attempts } };
    const runAtMs = momentOf(run, update);
    expiresAt = termsOf(run, runAtMs)?.expiresAt;
    const outcome: UpdateAnswer = { isUpdated: true, status, type, attempts };
    return { place: { to: 'delayed', atMs: runAtMs }, fields: fieldsOf(run, update, runAtMs), outcome };
  });
  if (answer?.isUpdated && expiresAt !== undefined)
    await queues.redis.zadd(queues.key('expiring'), Date.parse(expiresAt), id);
  if (answer?.isUpdated) queues.wake(placed.queue);
  return answer;
}

function momentOf({ runAtMs }: BullmqRun, { runAt, delayMs }: RunUpdate): number {
  if (runAt !== null) return Date.parse(runAt);
  return delayMs === null ? runAtMs : Date.now() + delayMs;
}

function fieldsOf(run: BullmqRun, { payload, priority, maxAttempts }: RunUpdate, runAtMs: number): Fields {
  const terms = termsOf(run, runAtMs);
  const notes = { version: payload?.version ?? run.version, ...(terms && { terms }) };
  const opts = writeNotes(run, notes, {
    ...(maxAttempts === null ? {} : { attempts: maxAttempts }),
    ...(priority === null ? {} : { priority: priority + 1 }),
  });
  return {
    opts,
    [FIELD.runAt]: runAtMs,
    ...(priority === null ? {} : { priority: priority + 1 }),
    ...(payload === null ? {} : { data: payload.json }),
  };
}

/** What has started keeps its times; what has not gets them anew from when it is due. */
function termsOf(run: BullmqRun, runAtMs: number): RunTerms | null {
  return hasStarted(run) ? run.terms : moveTerms(run.terms, runAtMs - run.runAtMs);
}
