import type { Retry } from '@duework/queue-core/ports';
import { FIELD, type Fields } from '../jobs/fields.js';
import { toJobId } from '../jobs/job-id.js';
import type { Queues } from '../redis/queues.js';
import { effectsKey } from '../effects/effects.js';
import { writeNotes } from '../jobs/write-notes.js';
import { withoutTimes } from '../terms/run-terms.js';
import { changeRun } from './change-run.js';
import { placeOf } from './find-run.js';

/** What a finished run loses when it comes back; its fence stays. */
const UNSPENT: Fields = {
  [FIELD.attempts]: 0,
  [FIELD.worker]: '',
  [FIELD.snoozes]: 0,
  [FIELD.snoozedAt]: '',
  [FIELD.releases]: 0,
  [FIELD.acknowledgedAt]: '',
  [FIELD.cancelAt]: '',
  [FIELD.cancelBy]: '',
  [FIELD.cancelReason]: '',
  progress: '',
};

/** An operator's "run it now", which also settles the run's unknown effects. false: it is running, has succeeded, or is not there. */
export async function retryRun(queues: Queues, id: string, { effectsHappened }: Retry): Promise<boolean> {
  const placed = placeOf(id);
  let settleEffects = async (): Promise<void> => {};
  const isRetried = await changeRun<boolean>(queues, placed, (run) => {
    if (run === null || run.status === 'running' || run.status === 'succeeded') return { answer: false };
    settleEffects = async () => {
      const key = effectsKey(queues, { type: run.type, runKey: run.key ?? `run:${toJobId(run)}` });
      await queues.redis.dueworkSettleEffects(key, `${id} `, effectsHappened ? 'done' : 'approved');
    };
    const nowMs = Date.now();
    const isBack = run.finishedAtMs !== null;
    // one that is due keeps its place
    if (!isBack && run.status === 'queued' && run.runAtMs <= nowMs) return { answer: true };
    const atMs = isBack ? nowMs : Math.min(run.runAtMs, nowMs);
    const fields = {
      ...(isBack ? { ...UNSPENT, opts: writeNotes(run, { terms: withoutTimes(run.terms) ?? undefined }) } : {}),
      [FIELD.status]: 'queued',
      [FIELD.runAt]: atMs,
    };
    return { place: { to: 'delayed', atMs }, fields, outcome: true };
  });
  if (isRetried !== true) return false;
  await settleEffects();
  queues.wake(placed.queue);
  return true;
}
