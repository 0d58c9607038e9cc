/**
 * Takes what waits of a type back to BullMQ. First each job becomes a forward of itself, under its own id, which no worker of
 * Duework runs; then forwards are written into BullMQ, under ids made of theirs, and deleted here. Who is killed in between
 * leaves forwards: the next call writes them again, and BullMQ ignores an id that it has.
 */
import type { JobContract } from '@duework/contracts';
import { unsealPayload, type Act, type Transactable } from '@duework/queue-core';
import type { NewRun } from '@duework/queue-core/ports';
import { forwardWaiting, originOf, type ForwardTarget } from '@duework/shards';
import { inTransaction } from '@duework/sql';
import { pause } from '../output/pause.js';
import { auditMove, hasForwards, lockForwards, removeRuns } from './sql/moved-runs.js';

/** Apart from the targets that workers know. */
const TARGET = 'bullmq_back';
const PORTION = 200;
const LOOK_MS = 200;
const PORTION_MS = 120_000;

interface MovingToBullmq {
  readonly db: Transactable;
  readonly target: ForwardTarget;
  readonly act: Act;
  readonly signal: AbortSignal;
  readonly onPortion: (jobs: number) => void;
}

/** So many are in BullMQ now, and so many stay until a worker of Duework has run them. */
export async function moveBackToBullmq(
  { db, target, act, signal, onPortion }: MovingToBullmq,
  contract: JobContract,
): Promise<{ readonly jobs: number; readonly left: number }> {
  const from = await originOf(db);
  const { left } = await forwardWaiting(db, TARGET, contract, signal);
  let jobs = 0;
  while (!signal.aborted) {
    const carried = await inTransaction(
      db,
      async (tx) => {
        const forwards = await lockForwards(tx, TARGET, contract.type, PORTION);
        if (forwards.length === 0) return 0;
        await target.carry(
          from,
          forwards.map(({ id, run, createdAtMs }) => ({
            id,
            run: unseal(contract, JSON.parse(run) as NewRun),
            createdAtMs,
          })),
        );
        await removeRuns(
          tx,
          forwards.map(({ id }) => id),
        );
        await auditMove(tx, 'move_back', { act, system: 'bullmq', name: contract.type, jobs: forwards.length });
        return forwards.length;
      },
      PORTION_MS,
    );
    jobs += carried;
    onPortion(jobs);
    if (carried > 0) continue;
    if (!(await hasForwards(db, TARGET, contract.type))) break;
    // a worker that carries forwards has taken one, and gives it back, because it does not know the target
    await pause(LOOK_MS, signal);
  }
  return { jobs, left };
}

/** Workers of BullMQ have no keys. */
const unseal = (contract: JobContract, run: NewRun): NewRun => ({
  ...run,
  payloadJson: JSON.stringify(unsealPayload(contract, run.version, JSON.parse(run.payloadJson) as unknown)),
});
