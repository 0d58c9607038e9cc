import type { WorkerEvent } from '../events.js';
import { SNOOZE_LIMIT, SUSPECT_LIMIT, type ClaimedRun, type Settlement } from '../ports/runs.js';
import type { Engine } from '../worker/engine.js';
import type { WriteAnswer } from './write-settlements.js';

/** Emits what became of a run, as the store has answered. */
export function tellEnding(
  { emit, name: worker }: Pick<Engine, 'emit' | 'name'>,
  run: ClaimedRun,
  settlement: Settlement,
  answer: WriteAnswer,
  ranMs: number,
): void {
  emit(describeEnding(worker, run, settlement, answer, ranMs));
}

function describeEnding(
  worker: string,
  run: ClaimedRun,
  settlement: Settlement,
  answer: WriteAnswer,
  ranMs: number,
): WorkerEvent {
  if (answer === 'lost' || answer === 'gave_up') return { name: 'lease.lost', during: 'settle', run, worker };
  if (answer === 'cancelled') return { name: 'job.cancelled', run, worker, ranMs };
  switch (settlement.kind) {
    case 'complete':
      return { name: 'job.succeeded', run, worker, ranMs };
    case 'fail':
      return { name: 'job.failed', run, worker, ranMs, error: settlement.error, delayMs: settlement.delayMs };
    case 'bury':
      return { name: 'job.dead', run, worker, ranMs, error: settlement.error };
    case 'snooze':
      if (answer === 'dead') return { name: 'job.dead', run, worker, ranMs, error: { ...SNOOZE_LIMIT, stack: null } };
      return { name: 'job.snoozed', run, worker, ranMs, delayMs: settlement.delayMs };
    case 'release':
      if (answer === 'dead') return { name: 'job.dead', run, worker, ranMs, error: { ...SUSPECT_LIMIT, stack: null } };
      return { name: 'job.released', run, worker, reason: settlement.reason };
    case 'leave': {
      const { keyId, delayMs } = settlement;
      return { name: 'job.left', run, worker, code: 'key_missing', keyId, delayMs };
    }
    case 'confirm_cancel':
      return { name: 'job.cancelled', run, worker, ranMs };
  }
}
