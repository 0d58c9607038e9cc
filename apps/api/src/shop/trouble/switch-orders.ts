import { problems, type Route } from '@duework/http';
import type { TroubleParts } from './trouble-parts.js';

/** `POST /shop/start-orders` and `/shop/stop-orders`: whether orders come in by themselves. */
export function switchOrders({ orders }: TroubleParts): readonly Route[] {
  const one = (verb: 'start' | 'stop', summary: string): Route => ({
    scope: 'operate',
    doc: {
      method: 'post',
      path: `/shop/${verb}-orders`,
      operationId: `shop_${verb}_orders`,
      summary,
      responses: { 303: { description: "The shop's page." }, ...problems() },
    },
    async handle(c) {
      await orders[verb]();
      return c.redirect('/shop', 303);
    },
  });
  return [one('start', 'Orders come in by themselves'), one('stop', 'No orders come in by themselves any more')];
}
