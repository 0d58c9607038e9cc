import { z } from '@hono/zod-openapi';
import { catalog, markOrderPaid, orderPaid, sendInvoice } from '@duework/shop';
import { enqueue, signal } from '@duework/queue-core';
import {
  answer,
  checkType,
  DATABASE_PROBLEMS,
  enqueuedJob,
  idParameter,
  presentEnqueuedJob,
  problems,
  retryConflicts,
  type Route,
} from '@duework/http';
import type { ShopParts } from '../shop-parts.js';
import { findInvoiceJob } from '../orders/find-invoice-job.js';
import { findOrder, parseOrderId } from '../orders/find-order.js';
import { order } from '../orders/present-order.js';

const paidOrder = z
  .object({
    order,
    job: enqueuedJob
      .nullable()
      .describe('The job that mails the invoice; null when it is too old to be kept, or the order is cancelled.'),
  })
  .openapi('PaidOrder');

/**
 * `POST /v1/orders/{id}/pay`: marks the order PAID and enqueues its invoice in one transaction: both, or neither.
 * Paying again, also at the same moment, changes nothing and answers with the same order and the same job. A job that
 * sees the order through is told. An order that is CANCELLED stays so.
 */
export function payOrder({ db, databaseUrl }: ShopParts): Route {
  return {
    scope: 'enqueue',
    doc: {
      method: 'post',
      path: '/v1/orders/{id}/pay',
      operationId: 'payOrder',
      summary: 'Pay an order, once',
      parameters: [idParameter('order')],
      responses: {
        200: answer('The order and its job.', paidOrder),
        ...problems('not_found', ...DATABASE_PROBLEMS),
      },
    },
    async handle(c) {
      // a key for other types only must not enqueue this one by paying
      const principal = c.get('principal');
      checkType(principal, sendInvoice.type, '');
      const id = parseOrderId(c.req.param('id'));
      const paid = await retryConflicts(databaseUrl, () =>
        db.$transaction(async (tx) => {
          const isFirst = await markOrderPaid(tx, id);
          const hasLife = isFirst && (await tx.order.count({ where: { id, jobId: { not: null } } })) > 0;
          if (hasLife) await signal(tx, orderPaid, { orderId: id });
          const order = await findOrder(tx, id);
          // Not enqueued again: its key is dropped with the history, so a payment repeated after that would send a
          // second invoice.
          const job = isFirst ? await enqueue(tx, sendInvoice, { orderId: id }) : await findInvoiceJob(tx, id);
          return { order, job: job && presentEnqueuedJob(job, { principal, catalog }) };
        }),
      );
      return c.json(paid);
    },
  };
}
