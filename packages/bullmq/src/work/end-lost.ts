import { exponential, type RetryPolicy } from '@duework/contracts';
import { computeBackoff, LOST_MESSAGE, RETRY_BUDGET_EXHAUSTED, type RescuedRun } from '@duework/queue-core/ports';
import type { BullmqRun } from '../jobs/decode-job.js';
import { FIELD, type Fields } from '../jobs/fields.js';
import { toJobId } from '../jobs/job-id.js';
import { moveRun } from '../redis/move-run.js';
import type { Queues } from '../redis/queues.js';
import { endAndTell } from '../terms/tell-end.js';
import { readContract } from '../upkeep/known-contracts.js';
import { addAttempt } from './add-attempt.js';
import { endRun, putOff } from './end-run.js';

/** The retry policy of a type that no worker has told of. */
const DEFAULT_RETRY: RetryPolicy = exponential({ base: '10s' });
const LOST = { code: 'worker_lost', type: 'LeaseExpired' } as const;

/**
 * Ends the attempt of a run whose worker stopped renewing its lease: it is due again at once, or after the backoff of its
 * type where the attempt before was lost, too; dead where its attempts are used up; cancelled where somebody asked for that.
 * `token`: of who holds it now; without one nobody may hold it. null: somebody else has been faster.
 */
export async function endLost(
  queues: Queues,
  run: BullmqRun,
  { token }: { readonly token?: string } = {},
): Promise<RescuedRun | null> {
  const nowMs = Date.now();
  const isAsked = (run.raw[FIELD.cancelAt] ?? '') !== '';
  const isSpent = run.attempts >= run.maxAttempts;
  const isLate = Date.parse(run.terms?.retryUntil ?? '') <= nowMs;
  const status = isAsked ? 'cancelled' : isSpent || isLate ? 'dead' : 'failed';
  const fields: Fields = {
    ...addAttempt(run, nowMs, {
      outcome: 'lost',
      errorCode: LOST.code,
      errorType: LOST.type,
      errorMessage: LOST_MESSAGE,
    }),
    [FIELD.failedAt]: nowMs,
    [FIELD.errorCode]: status === 'dead' && !isSpent ? RETRY_BUDGET_EXHAUSTED : LOST.code,
    [FIELD.errorType]: LOST.type,
    [FIELD.error]: LOST_MESSAGE,
  };
  const runAtMs = nowMs + (status === 'failed' ? await delayOf(queues, run) : 0);
  const isDone =
    token === undefined
      ? await take(queues, run, status, nowMs, runAtMs, fields)
      : status === 'failed'
        ? await putOff(queues, run, token, status, runAtMs, fields, true)
        : await endRun(queues, run, token, status, LOST_MESSAGE, fields);
  if (!isDone) return null;
  return { id: toJobId(run), type: run.type, worker: run.worker ?? '', attempt: run.attempts, status };
}

async function take(
  queues: Queues,
  run: BullmqRun,
  status: RescuedRun['status'],
  nowMs: number,
  runAtMs: number,
  fields: Fields,
): Promise<boolean> {
  const isFailed = status === 'failed';
  const more = isFailed ? { [FIELD.runAt]: runAtMs, [FIELD.worker]: '' } : { finishedOn: nowMs };
  const place = { to: isFailed ? 'delayed' : 'failed', atMs: isFailed ? runAtMs : nowMs } as const;
  const move = async () =>
    (await moveRun(queues, run, place, { ...fields, ...more, [FIELD.status]: status })) === 'moved';
  return status === 'dead' ? endAndTell(queues, run, move) : move();
}

async function delayOf(queues: Queues, run: BullmqRun): Promise<number> {
  const isRepeated = run.attempts > 1 && run.raw[FIELD.errorCode] === LOST.code;
  if (!isRepeated) return 0;
  return computeBackoff((await readContract(queues, run.type))?.retry ?? DEFAULT_RETRY, run.attempts, Math.random());
}
