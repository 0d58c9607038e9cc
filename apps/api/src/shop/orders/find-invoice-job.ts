import { sendInvoice } from '@duework/shop';
import type { Prisma } from '@duework/database';
import { getJob, type EnqueuedJob } from '@duework/queue-core';

/** The job that was enqueued when an order became PAID; null when its history is gone already. */
export async function findInvoiceJob(tx: Prisma.TransactionClient, orderId: number): Promise<EnqueuedJob | null> {
  const key = sendInvoice.keyOf!({ orderId });
  const taken = await tx.jobKey.findUnique({ where: { jobType_key: { jobType: sendInvoice.type, key } } });
  if (taken === null) return null;
  const { job } = await getJob(tx, String(taken.runId));
  return {
    id: job.id,
    type: job.type,
    status: job.status,
    runAt: job.runAt,
    isDeduplicated: true,
    payloadDiffers: false,
  };
}
