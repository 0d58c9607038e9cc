import type { BullmqRun } from '../jobs/decode-job.js';
import { FIELD, type Fields } from '../jobs/fields.js';
import { isOwnId } from '../jobs/job-id.js';
import { keepOf } from '../jobs/read-fields.js';
import { leavesAtOnce, removeAsTold } from '../upkeep/remove-as-told.js';
import type { Queues } from '../redis/queues.js';
import { settleUnlessLost } from './unless-lost.js';
import { endAndTell } from '../terms/tell-end.js';

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
  const keep = isOwnId(run.id) ? false : keepOf(run.raw.opts, 'removeOnFail');
  const move = () => queues.of(run.queue).moveToFailed(job, reason, leavesAtOnce(keep), token, false, all);
  const end = () => settleUnlessLost(queues, run, token, move);
  const isOurs = await (status === 'dead' ? endAndTell(queues, run, end) : end());
  if (isOurs) await queues.redis.zrem(queues.leases, queues.memberOf(run));
  if (isOurs) await removeAsTold(queues, run, 'failed', keep);
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
  const options = { skipAttempt: !isCharged, fieldsToUpdate: all };
  const move = () => queues.of(run.queue).moveToDelayed(run.id, runAtMs, 0, token, options);
  const isOurs = await settleUnlessLost(queues, run, token, move);
  if (isOurs) await queues.redis.zrem(queues.leases, queues.memberOf(run));
  // what is due again at once may be another worker's
  if (isOurs && runAtMs <= Date.now()) queues.wake(run.queue);
  return isOurs;
}
