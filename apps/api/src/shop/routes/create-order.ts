import {
  answerWithLocation,
  BODY_PROBLEMS,
  DATABASE_PROBLEMS,
  parseBody,
  problems,
  readJsonBody,
  retryConflicts,
  type Route,
  singleBodyLimit,
} from '@duework/http';
import type { ShopParts } from '../shop-parts.js';
import { ensureWeeklyReport } from '../orders/ensure-weekly-report.js';
import { newOrder } from '../orders/new-order.js';
import { order, orderParts, presentOrder } from '../orders/present-order.js';

/** `POST /v1/orders`: makes a PENDING order; its customer is found or made by email, with a weekly report. */
export function createOrder({ db, databaseUrl, payloadLimitBytes }: ShopParts): Route {
  return {
    scope: 'enqueue',
    doc: {
      method: 'post',
      path: '/v1/orders',
      operationId: 'createOrder',
      summary: 'Place an order',
      request: { body: { required: true, content: { 'application/json': { schema: newOrder } } } },
      responses: {
        201: answerWithLocation('The order, which is PENDING.', order),
        ...problems(...BODY_PROBLEMS, ...DATABASE_PROBLEMS),
      },
    },
    bodyLimitBytes: singleBodyLimit({ payloadLimitBytes }),
    async handle(c) {
      const { customer, currency, items } = parseBody(newOrder, await readJsonBody(c));
      const lines = items.map((item, index) => ({ line: index + 1, ...item }));
      const placed = await retryConflicts(databaseUrl, () =>
        db.$transaction(async (tx) => {
          const { email, name, timeZone } = customer;
          const given = { name, ...(timeZone === undefined ? {} : { timeZone }) };
          const user = await tx.user.upsert({ where: { email }, create: { email, ...given }, update: given });
          await ensureWeeklyReport(tx, user);
          return tx.order.create({
            data: { userId: user.id, currency, items: { create: lines } },
            include: orderParts,
          });
        }),
      );
      return c.json(presentOrder(placed), 201, { Location: `/v1/orders/${placed.id}` });
    },
  };
}
