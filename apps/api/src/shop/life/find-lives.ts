import type { PrismaClient } from '@duework/database';
import { approveCredit } from '@duework/shop';

/** So many orders are shown, the newest first. */
const SHOWN = 5;

/** An order that a job sees through, as the shop's page shows it. */
export interface OrderLife {
  readonly orderId: number;
  readonly jobId: string;
  readonly status: string;
  /** Of its job; null: it is gone with the history. */
  readonly jobStatus: string | null;
  /** The job that asks the desk whether it is shipped on account; null: nobody is asked, or the desk has decided. */
  readonly creditJobId: string | null;
  /** What its job waits for; null: it goes on at this moment, or is over. */
  readonly wait: {
    readonly for: 'signal' | 'child' | 'time';
    readonly step: string;
    readonly until: Date | null;
  } | null;
}

const creditKey = (orderId: number): string => approveCredit.keyOf!({ orderId, within: '1m' })!;

/** The orders that were begun last, and how they stand. */
export async function findLives(db: PrismaClient): Promise<readonly OrderLife[]> {
  const orders = await db.order.findMany({ where: { jobId: { not: null } }, orderBy: { id: 'desc' }, take: SHOWN });
  const ids = orders.map(({ jobId }) => BigInt(jobId!));
  const [waits, live, finished, asked] = await Promise.all([
    db.jobStep.findMany({ where: { runId: { in: ids }, status: 'waiting' } }),
    db.jobRun.findMany({ where: { id: { in: ids } }, select: { id: true, status: true } }),
    db.jobHistory.findMany({ where: { id: { in: ids } }, select: { id: true, status: true } }),
    db.jobRun.findMany({
      where: { jobType: approveCredit.type, idempotencyKey: { in: orders.map(({ id }) => creditKey(id)) } },
      select: { id: true, idempotencyKey: true },
    }),
  ]);
  const statuses = new Map([...finished, ...live].map(({ id, status }) => [String(id), status]));
  return orders.map(({ id, jobId, status }) => {
    const wait = waits.find(({ runId }) => String(runId) === jobId);
    const kind = wait?.awaits === 'signal' ? 'signal' : wait?.awaits === null ? 'time' : 'child';
    return {
      orderId: id,
      jobId: jobId!,
      status,
      jobStatus: statuses.get(jobId!) ?? null,
      creditJobId: asked.find(({ idempotencyKey }) => idempotencyKey === creditKey(id))?.id.toString() ?? null,
      wait: wait === undefined ? null : { for: kind, step: wait.name, until: wait.wakesAt },
    };
  });
}

/** Nobody has paid it or cancelled it, and its job waits for that or is about to. */
export const isOpen = ({ status, jobStatus }: OrderLife): boolean =>
  status === 'PENDING' && ['queued', 'running', 'failed'].includes(jobStatus ?? '');
