import type { ApiParts, Route } from '../../api.js';
import { answer } from '../../openapi/answers.js';
import { idParameter } from '../../openapi/parameters.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { findOrder, parseOrderId } from '../orders/find-order.js';
import { order } from '../orders/present-order.js';

/** `GET /v1/orders/{id}`: one order. */
export function getOrder({ db }: ApiParts): Route {
  return {
    doc: {
      method: 'get',
      path: '/v1/orders/{id}',
      operationId: 'getOrder',
      summary: 'Look an order up',
      parameters: [idParameter('order')],
      responses: { 200: answer('The order.', order), ...problems('order_not_found', ...DATABASE_PROBLEMS) },
    },
    async handle(c) {
      return c.json(await findOrder(db, parseOrderId(c.req.param('id'))));
    },
  };
}
