import type { Route } from '@duework/http';
import { live } from './life/live.js';
import { showShop } from './page/show-shop.js';
import { createOrder } from './routes/create-order.js';
import { getOrder } from './routes/get-order.js';
import { payOrder } from './routes/pay-order.js';
import type { ShopParts } from './shop-parts.js';
import { acceptMails } from './trouble/accept-mails.js';
import { act } from './trouble/act.js';
import { switchOrders } from './trouble/switch-orders.js';

/** The routes of the shop, beside those of the queue. */
export function shopRoutes(parts: ShopParts): readonly Route[] {
  const { trouble } = parts;
  return [
    createOrder(parts),
    getOrder(parts),
    payOrder(parts),
    ...(trouble === undefined
      ? []
      : [
          showShop(parts, trouble),
          ...live(parts),
          ...act(parts, trouble),
          acceptMails(trouble),
          ...switchOrders(trouble),
        ]),
  ];
}
