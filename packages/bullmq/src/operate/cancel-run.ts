import type { Act } from '@duework/queue-core/ports';
import { FIELD } from '../jobs/fields.js';
import type { Queues } from '../redis/queues.js';
import { readRun } from '../redis/read-runs.js';
import { changeRun } from './change-run.js';
import { placeOf } from './find-run.js';

/** Cancels a waiting run, or requests that of a running one. null: it has finished, or is not there. */
export async function cancelRun(queues: Queues, id: string, act: Act): Promise<'cancelled' | 'requested' | null> {
  const placed = placeOf(id);
  const nowMs = Date.now();
  const answer = await changeRun<'cancelled' | 'running' | 'over'>(queues, placed, (run) => {
    if (run === null || run.finishedAtMs !== null) return { answer: 'over' };
    if (run.status === 'running') return { answer: 'running' };
    const fields = {
      [FIELD.status]: 'cancelled',
      [FIELD.cancelAt]: nowMs,
      [FIELD.cancelBy]: act.by ?? '',
      [FIELD.cancelReason]: act.reason ?? '',
      finishedOn: nowMs,
      failedReason: act.reason || 'cancelled',
    };
    return { place: { to: 'failed', atMs: nowMs }, fields, outcome: 'cancelled' };
  });
  if (answer === 'over') return null;
  if (answer === 'cancelled') return answer;
  const asked = [nowMs, act.by ?? '', act.reason ?? ''] as const;
  if ((await queues.redis.dueworkRequestCancel(queues.jobKey(placed), ...asked)) === 0) return null;
  const run = await readRun(queues, placed);
  if (run?.status === 'running') {
    const { fence, raw } = run;
    const by = raw[FIELD.cancelBy] || null;
    queues.tell({ kind: 'cancel_requested', id, fence, by, reason: raw[FIELD.cancelReason] || null });
  }
  return 'requested';
}
