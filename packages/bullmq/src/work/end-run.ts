import type { BullmqRun } from '../jobs/decode-job.js';
import { FIELD, type Fields } from '../jobs/fields.js';
import type { Queues } from '../redis/queues.js';

/** What BullMQ answers where a lock is missing or another's, or the job is not there, or no longer active. */
const LOST: ReadonlySet<unknown> = new Set([-1, -2, -3, -6]);

/** Whether a verb with a token was done; false: that token holds the job no more. */
export async function unlessLost(verb: Promise<unknown>): Promise<boolean> {
  try {
    await verb;
    return true;
  } catch (error) {
    if (LOST.has((error as { code?: unknown }).code)) return false;
    throw error;
  }
}

/** Ends a run that the token holds as dead or cancelled. false: it holds it no more. */
export async function endRun(
  queues: Queues,
  run: BullmqRun,
  token: string,
  status: 'dead' | 'cancelled',
  reason: string,
  fields: Fields,
): Promise<boolean> {
  const job = { id: run.id, opts: { attempts: run.maxAttempts } } as never;
  const all = { ...fields, [FIELD.status]: status };
  const isOurs = await unlessLost(queues.of(run.queue).moveToFailed(job, reason, false, token, false, all));
  if (isOurs) await queues.redis.zrem(queues.leases, queues.memberOf(run));
  return isOurs;
}

/** Lets a run that the token holds wait until a moment. false: it holds it no more. */
export async function putOff(
  queues: Queues,
  run: BullmqRun,
  token: string,
  status: 'queued' | 'failed',
  runAtMs: number,
  fields: Fields,
  isCharged = false,
): Promise<boolean> {
  const all = { ...fields, [FIELD.status]: status, [FIELD.runAt]: runAtMs, [FIELD.worker]: '' };
  const verb = queues
    .of(run.queue)
    .moveToDelayed(run.id, runAtMs, 0, token, { skipAttempt: !isCharged, fieldsToUpdate: all });
  const isOurs = await unlessLost(verb);
  if (isOurs) await queues.redis.zrem(queues.leases, queues.memberOf(run));
  // what is due again at once may be another worker's
  if (isOurs && runAtMs <= Date.now()) queues.wake(run.queue);
  return isOurs;
}
