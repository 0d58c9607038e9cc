import { answer, DATABASE_PROBLEMS, idParameter, problems, type Route } from '@duework/http';
import type { ShopParts } from '../shop-parts.js';
import { findOrder, parseOrderId } from '../orders/find-order.js';
import { order } from '../orders/present-order.js';

/** `GET /v1/orders/{id}`: one order. */
export function getOrder({ db }: ShopParts): Route {
  return {
    scope: 'read',
    doc: {
      method: 'get',
      path: '/v1/orders/{id}',
      operationId: 'getOrder',
      summary: 'Look an order up',
      parameters: [idParameter('order')],
      responses: { 200: answer('The order.', order), ...problems('not_found', ...DATABASE_PROBLEMS) },
    },
    async handle(c) {
      return c.json(await findOrder(db, parseOrderId(c.req.param('id'))));
    },
  };
}
