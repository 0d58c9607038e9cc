import type { RunUpdate, UpdateAnswer } from '@duework/queue-core/ports';
import type { BullmqRun } from '../jobs/decode-job.js';
import type { JobNotes } from '../jobs/encode-job.js';
import { FIELD, type Fields } from '../jobs/fields.js';
import type { Queues } from '../redis/queues.js';
import { changeRun } from './change-run.js';
import { placeOf } from './find-run.js';

/** Changes a run that waits. null: it has finished, or is not there. */
export async function updateRun(queues: Queues, id: string, update: RunUpdate): Promise<UpdateAnswer | null> {
  const placed = placeOf(id);
  let last: UpdateAnswer | null = null;
  const answer = await changeRun<UpdateAnswer | null>(queues, placed, (run) => {
    if (run === null || run.finishedAtMs !== null) return { answer: null };
    const { status, type, attempts } = run;
    const isOther = update.payload !== null && update.payload.type !== type;
    const isRefused = status === 'running' || isOther || attempts >= (update.maxAttempts ?? run.maxAttempts);
    last = { isUpdated: false, status: 'running', type, attempts };
    if (isRefused) return { answer: { ...last, status } };
    const runAtMs = momentOf(run, update);
    const then: UpdateAnswer = { isUpdated: true, status, type, attempts };
    return { place: { to: 'delayed', atMs: runAtMs }, fields: fieldsOf(run, update, runAtMs), then };
  });
  if (answer?.isUpdated) queues.wake(placed.queue);
  // a claim that holds it has it by now
  return answer ?? null;
}

function momentOf({ runAtMs }: BullmqRun, { runAt, delayMs }: RunUpdate): number {
  if (runAt !== null) return Date.parse(runAt);
  return delayMs === null ? runAtMs : Date.now() + delayMs;
}

function fieldsOf(run: BullmqRun, { payload, priority, maxAttempts }: RunUpdate, runAtMs: number): Fields {
  const options = JSON.parse(run.raw.opts!) as Record<string, unknown>;
  const notes = JSON.parse((options.duework as string | undefined) ?? '{}') as Partial<JobNotes>;
  const opts = JSON.stringify({
    ...options,
    attempts: maxAttempts ?? options.attempts,
    priority: priority === null ? options.priority : priority + 1,
    duework: JSON.stringify({ ...notes, version: payload?.version ?? run.version }),
  });
  return {
    opts,
    [FIELD.runAt]: runAtMs,
    ...(priority === null ? {} : { priority: priority + 1 }),
    ...(payload === null ? {} : { data: payload.json }),
  };
}
