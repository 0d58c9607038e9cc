import { noteGates } from '../sql/flow/note-gates.js';
import type { AbortRecord, SettledStatus, Settlement, Taker } from '../ports/runs.js';
import { buryRuns } from '../sql/settle/bury-runs.js';
import { completeRuns } from '../sql/settle/complete-runs.js';
import { confirmCancels } from '../sql/settle/confirm-cancels.js';
import { failRuns, type FailedAttempt } from '../sql/settle/fail-runs.js';
import type { AbortColumns } from '../sql/fragments.js';
import { leaveRuns } from '../sql/settle/leave-runs.js';
import { releaseRuns } from '../sql/settle/release-runs.js';
import { snoozeRuns } from '../sql/settle/snooze-runs.js';
import type { Queryable } from '@duework/sql';

type OfKind<K extends Settlement['kind']> = Extract<Settlement, { kind: K }>;

type Settled = readonly { readonly id: string; readonly status: SettledStatus }[];

/** Writes a batch of one kind; answers for each, in its order, what it led to, and null for what was lost. */
export async function settleBatch(
  db: Queryable,
  batch: readonly Settlement[],
  taker?: Taker,
): Promise<(SettledStatus | null)[]> {
  const settled = await settleOfOneKind(db, batch, taker);
  // nearly always: nothing was lost of what has succeeded
  if (batch[0]?.kind === 'complete' && settled.length === batch.length) return batch.map(() => 'succeeded');
  const statusOf = new Map(settled.map(({ id, status }) => [id, status]));
  return batch.map(({ id }) => statusOf.get(id) ?? null);
}

/** One statement for the whole batch. */
async function settleOfOneKind(db: Queryable, group: readonly Settlement[], taker?: Taker): Promise<Settled> {
  const [first] = group;
  if (first === undefined) return [];
  const gates = noteGates(group);
  switch (first.kind) {
    case 'complete':
      return withStatus(
        'succeeded',
        (await completeRuns(db, group as OfKind<'complete'>[], gates, false, taker)).map((id) => ({ id })),
      );
    case 'bury':
      return withStatus('dead', await buryRuns(db, (group as OfKind<'bury'>[]).map(toFailedAttempt), gates));
    case 'fail':
      return failRuns(
        db,
        (group as OfKind<'fail'>[]).map((failed) => ({ ...toFailedAttempt(failed), delay_ms: failed.delayMs })),
        gates,
      );
    case 'snooze':
      return snoozeRuns(
        db,
        (group as OfKind<'snooze'>[]).map(({ id, fence, delayMs, maxSnoozes, wakesAt = null, hasBegun = true }) => ({
          id,
          fence,
          delay_ms: delayMs,
          max_snoozes: maxSnoozes,
          wakes_at: wakesAt,
          has_begun: hasBegun,
        })),
        gates,
      );
    case 'release':
      return releaseRuns(
        db,
        (group as OfKind<'release'>[]).map(({ id, fence, reason, abort, isSuspect = false }) => ({
          id,
          fence,
          reason,
          is_suspect: isSuspect,
          ...toAbortColumns(abort),
        })),
        gates,
      );
    case 'leave':
      return leaveRuns(
        db,
        (group as OfKind<'leave'>[]).map(({ id, fence, error, delayMs }) => ({
          id,
          fence,
          code: error.code,
          error_type: error.type,
          message: error.message,
          delay_ms: delayMs,
        })),
        gates,
      );
    case 'confirm_cancel':
      return withStatus(
        'cancelled',
        await confirmCancels(
          db,
          (group as OfKind<'confirm_cancel'>[]).map(({ id, fence, by, reason, abort }) => ({
            id,
            fence,
            by,
            reason,
            ...toAbortColumns(abort),
          })),
          gates,
        ),
      );
  }
}

function withStatus(status: SettledStatus, rows: readonly { id: string }[]): Settled {
  return rows.map(({ id }) => ({ id, status }));
}

function toFailedAttempt({ id, fence, error, abort }: OfKind<'fail'> | OfKind<'bury'>): FailedAttempt {
  const { code, type, message, stack, logs = null } = error;
  const kept = logs === null ? {} : { logs };
  return { id, fence, code, error_type: type, message, stack, ...kept, ...toAbortColumns(abort) };
}

function toAbortColumns(abort: AbortRecord): AbortColumns {
  return { abort_code: abort?.code ?? null, abort_stage: abort?.stage ?? null };
}
