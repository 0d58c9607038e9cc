import { EXPIRY, type ExpiredRun } from '@duework/queue-core/ports';
import { hasStarted, type BullmqRun } from '../jobs/decode-job.js';
import { FIELD } from '../jobs/fields.js';
import { readJobId } from '../jobs/job-id.js';
import { changeRun } from '../operate/change-run.js';
import type { Queues } from '../redis/queues.js';
import { readContract } from '../upkeep/known-contracts.js';
import { tellEnd, tellLeft } from './tell-end.js';

/**
 * Cancels runs that have not started in time, and enqueues what their contracts name for that. A run is noted as one that
 * may expire until somebody has been told of it, so that who dies in between is followed by another.
 */
export async function expireRuns(
  queues: Queues,
  batch: number,
): Promise<{ readonly expired: readonly ExpiredRun[]; readonly isAll: boolean }> {
  const key = queues.key('expiring');
  const ids = await queues.redis.zrangebyscore(key, '-inf', Date.now(), 'LIMIT', 0, batch);
  const expired: ExpiredRun[] = [];
  let looked = 0;
  for (const id of ids) {
    const end = await expire(queues, id);
    if (end === null) continue;
    looked++;
    if (end.run !== null) await tellExpired(queues, id, end.run);
    if (end.isNew) expired.push({ id, type: end.run!.type });
    await queues.redis.zrem(key, id);
  }
  await tellLeft(queues, batch);
  return { expired, isAll: ids.length < batch || looked === 0 };
}

/** The run where it has expired, now or before; null in its place: it has not; null: somebody looks at it. */
async function expire(
  queues: Queues,
  id: string,
): Promise<{ readonly run: BullmqRun | null; readonly isNew: boolean } | null> {
  const nowMs = Date.now();
  return changeRun<{ run: BullmqRun | null; isNew: boolean }>(queues, readJobId(id)!, (run) => {
    if (run === null) return { answer: { run, isNew: false } };
    if (run.status === 'cancelled' && run.raw[FIELD.errorCode] === EXPIRY.code)
      return { answer: { run, isNew: false } };
    const expiresAt = run.terms?.expiresAt;
    const isOver = run.finishedAtMs !== null || hasStarted(run) || expiresAt === undefined;
    if (isOver) return { answer: { run: null, isNew: false } };
    // it has begun, and may yet be given back unstarted
    if (run.status === 'running') return { answer: null as never };
    const reason = `It had not started in time: before ${expiresAt}`;
    const fields = {
      [FIELD.status]: 'cancelled',
      [FIELD.errorCode]: EXPIRY.code,
      [FIELD.cancelAt]: nowMs,
      [FIELD.cancelBy]: EXPIRY.by,
      [FIELD.cancelReason]: reason,
      finishedOn: nowMs,
      failedReason: reason,
    };
    return { place: { to: 'failed', atMs: nowMs }, fields, outcome: { run, isNew: true } };
  });
}

async function tellExpired(queues: Queues, id: string, { type, payloadJson, terms }: BullmqRun): Promise<void> {
  if (terms?.onExpired === undefined) return;
  // sensitive values stay where they are
  const isTold = (await readContract(queues, type))?.isSensitive === false;
  const payload = { jobId: id, type, ...(isTold ? { payload: JSON.parse(payloadJson) as unknown } : {}) };
  await tellEnd(queues, terms.onExpired, payload, `expired:${id}`);
}
