import type { JobAttempt } from '@duework/queue-core';
import {
  SNOOZE_LIMIT,
  UNCOUNTED_SNOOZES,
  type AbortRecord,
  type ErrorRecord,
  type SettledStatus,
  type Settlement,
} from '@duework/queue-core/ports';
import type { BullmqRun } from '../jobs/decode-job.js';
import { FIELD, type Fields } from '../jobs/fields.js';
import { readJobId } from '../jobs/job-id.js';
import { tokenOf, type Queues } from '../redis/queues.js';
import { readRuns } from '../redis/read-runs.js';
import { endRun, putOff } from './end-run.js';
import type { FetchedAhead } from './fetched-ahead.js';
import { completeRuns, type Completed } from './complete-runs.js';
import { addAttempt } from './add-attempt.js';

/** Writes settlements, each only while its claim holds the run. Returns each run's new status; null: it was lost. */
export async function settleRuns(
  queues: Queues,
  ahead: FetchedAhead,
  batch: readonly Settlement[],
): Promise<(SettledStatus | null)[]> {
  if (isCompletion(batch)) return completeRuns(queues, ahead, batch);
  const runs = await readHeld(queues, batch);
  for (const [at, run] of runs.entries()) if (run !== null) refuseSpent(run, batch[at]!);
  return Promise.all(
    batch.map(async (settlement, at) => {
      const run = runs[at]!;
      return run === null || settlement.kind === 'complete' ? null : settleRun(queues, run, settlement);
    }),
  );
}

/** All of a batch are of one kind. */
function isCompletion(batch: readonly Settlement[]): batch is readonly Completed[] {
  return batch[0]?.kind === 'complete';
}

async function readHeld(queues: Queues, batch: readonly Settlement[]): Promise<(BullmqRun | null)[]> {
  const ids = batch.map(({ id }) => readJobId(id) ?? { queue: 'default', id: '' });
  const runs = await readRuns(queues, ids);
  return runs.map((run, at) => (run?.status === 'running' && run.fence === batch[at]!.fence ? run : null));
}

async function settleRun(
  queues: Queues,
  run: BullmqRun,
  settlement: Exclude<Settlement, { kind: 'complete' }>,
): Promise<SettledStatus | null> {
  const nowMs = Date.now();
  const token = tokenOf(run, run.fence);
  const isAsked = (run.raw[FIELD.cancelAt] ?? '') !== '';
  // it ends instead of going back
  if (isAsked && settlement.kind !== 'bury' && settlement.kind !== 'confirm_cancel')
    return cancel(queues, run, nowMs, null);
  switch (settlement.kind) {
    case 'fail': {
      const fields = {
        ...errorFields(settlement.error, nowMs),
        ...failure(run, nowMs, settlement.error, settlement.abort),
      };
      return (await putOff(queues, run, token, 'failed', nowMs + settlement.delayMs, fields, true)) ? 'failed' : null;
    }
    case 'bury':
      return bury(queues, run, nowMs, settlement.error, settlement.abort);
    case 'snooze': {
      if (run.snoozes >= settlement.maxSnoozes) return bury(queues, run, nowMs, { ...SNOOZE_LIMIT, stack: null }, null);
      const snoozes = run.snoozes + (settlement.maxSnoozes !== UNCOUNTED_SNOOZES ? 1 : 0);
      const begun = settlement.hasBegun === false ? {} : { [FIELD.snoozedAt]: nowMs };
      const fields = { ...uncharged(run), [FIELD.snoozes]: snoozes, ...begun };
      return (await putOff(queues, run, token, 'queued', nowMs + settlement.delayMs, fields)) ? 'queued' : null;
    }
    case 'release': {
      const { reason, abort } = settlement;
      const attempt = {
        outcome: 'interrupted',
        errorCode: 'released',
        errorMessage: reason ?? 'released before its handler began',
        ...abortColumns(abort),
      } as const;
      const releases = reason === null ? {} : { [FIELD.releases]: run.releases + 1 };
      const fields = { ...uncharged(run), ...releases, ...addAttempt(run, nowMs, attempt) };
      return (await putOff(queues, run, token, 'queued', run.runAtMs, fields)) ? 'queued' : null;
    }
    case 'leave': {
      const { code, type, message } = settlement.error;
      const error = { [FIELD.errorCode]: code, [FIELD.errorType]: type, [FIELD.error]: message };
      const fields = { ...uncharged(run), ...error };
      return (await putOff(queues, run, token, 'queued', nowMs + settlement.delayMs, fields)) ? 'queued' : null;
    }
    case 'confirm_cancel':
      return cancel(queues, run, nowMs, settlement);
  }
}

async function bury(
  queues: Queues,
  run: BullmqRun,
  nowMs: number,
  error: ErrorRecord,
  abort: AbortRecord,
): Promise<'dead' | null> {
  const fields = { ...errorFields(error, nowMs), ...failure(run, nowMs, error, abort) };
  return (await endRun(queues, run, tokenOf(run, run.fence), 'dead', error.message, fields)) ? 'dead' : null;
}

/** Somebody asked for it, or the worker itself does, with who and why. */
async function cancel(
  queues: Queues,
  run: BullmqRun,
  nowMs: number,
  own: { readonly by: string | null; readonly reason: string | null; readonly abort: AbortRecord } | null,
): Promise<'cancelled' | null> {
  const { raw } = run;
  const by = raw[FIELD.cancelBy] || (own?.by ?? '');
  const reason = raw[FIELD.cancelReason] || (own?.reason ?? '');
  const asked = { [FIELD.cancelAt]: raw[FIELD.cancelAt] || nowMs, [FIELD.cancelBy]: by, [FIELD.cancelReason]: reason };
  const attempt = { outcome: 'cancelled', errorMessage: reason || null, ...abortColumns(own?.abort ?? null) } as const;
  const fields = { ...asked, ...addAttempt(run, nowMs, attempt) };
  return (await endRun(queues, run, tokenOf(run, run.fence), 'cancelled', reason || 'cancelled', fields))
    ? 'cancelled'
    : null;
}

/** Throws when a run would wait without an attempt left; the whole batch is refused before any of it is written. */
function refuseSpent(run: BullmqRun, { kind }: Settlement): void {
  if (kind === 'fail' && (run.raw[FIELD.cancelAt] ?? '') === '' && run.attempts >= run.maxAttempts)
    throw new Error(`Run ${run.queue}:${run.id} has no attempt left to wait for.`);
}

const uncharged = ({ attempts }: BullmqRun): Fields => ({ [FIELD.attempts]: attempts - 1 });

function errorFields({ code, type, message }: ErrorRecord, nowMs: number): Fields {
  return { [FIELD.failedAt]: nowMs, [FIELD.errorCode]: code, [FIELD.errorType]: type, [FIELD.error]: message };
}

function failure(run: BullmqRun, nowMs: number, error: ErrorRecord, abort: AbortRecord): Fields {
  const { code, type, message, stack, logs = null } = error;
  const columns = { errorCode: code, errorType: type, errorMessage: message, errorStack: stack, logs };
  return addAttempt(run, nowMs, { outcome: 'failed', ...columns, ...abortColumns(abort) });
}

function abortColumns(abort: AbortRecord): Pick<JobAttempt, 'abortCode' | 'abortStage'> {
  // a lease that was lost is never settled
  return { abortCode: (abort?.code ?? null) as JobAttempt['abortCode'], abortStage: abort?.stage ?? null };
}
