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
import type { FailedJob } from './bullmq-package.js';
import {
  auditMove,
  hasForwards,
  listDeadOf,
  lockDead,
  lockForwards,
  removeRuns,
  type WaitingRun,
} from './sql/moved-runs.js';
import type { Origin } from './to-new-run.js';

const SYSTEM = 'bullmq';
/** Apart from the targets that workers know. */
const TARGET = 'bullmq_back';
const PORTION = 500;
const LOOK_MS = 200;
const PORTION_MS = 120_000;

export interface MovingToBullmq {
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
        await auditMove(tx, 'move_back', { act, system: SYSTEM, name: contract.type, jobs: forwards.length });
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

/** Puts those back that came dead, a portion in one transaction of the table. BullMQ keeps one that it has already. */
export async function moveDeadBackToBullmq(
  {
    db,
    putBack,
    act,
    signal,
    onPortion,
  }: Omit<MovingToBullmq, 'target'> & {
    readonly putBack: (jobs: readonly FailedJob[]) => Promise<readonly boolean[]>;
  },
  contract: JobContract,
): Promise<number> {
  const ids = (await listDeadOf(db, contract.type, SYSTEM)).map(({ id }) => id);
  let jobs = 0;
  for (let from = 0; from < ids.length && !signal.aborted; from += PORTION) {
    jobs += await inTransaction(
      db,
      async (tx) => {
        const dead = (await lockDead(tx, ids.slice(from, from + PORTION))).map((run) => toFailed(contract, run));
        const there = await putBack(dead.map(({ job }) => job));
        const gone = dead.flatMap(({ id }, at) => (there[at] ? [id] : []));
        await removeRuns(tx, gone);
        await auditMove(tx, 'move_back', { act, system: SYSTEM, name: contract.type, jobs: gone.length });
        return gone.length;
      },
      PORTION_MS,
    );
    onPortion(jobs);
  }
  return jobs;
}

function toFailed(contract: JobContract, { id, version, payload, meta }: WaitingRun) {
  const { movedJob, movedRow } = JSON.parse(meta!) as Required<Origin>;
  const was = JSON.parse(movedRow) as Pick<FailedJob, 'queue' | 'hash'>;
  const data = JSON.stringify(unsealPayload(contract, version, JSON.parse(payload) as unknown));
  return { id, job: { ...was, id: movedJob.slice(movedJob.indexOf('/') + 1), data } satisfies FailedJob };
}

/** Workers of BullMQ have no keys. */
const unseal = (contract: JobContract, run: NewRun): NewRun => ({
  ...run,
  payloadJson: JSON.stringify(unsealPayload(contract, run.version, JSON.parse(run.payloadJson) as unknown)),
});
