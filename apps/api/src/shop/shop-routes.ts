import type { Route } from '@duework/http';
import { createOrder } from './routes/create-order.js';
import { getOrder } from './routes/get-order.js';
import { payOrder } from './routes/pay-order.js';
import type { ShopParts } from './shop-parts.js';

/** The routes of the shop, beside those of the queue. */
export function shopRoutes(parts: ShopParts): readonly Route[] {
  return [createOrder(parts), getOrder(parts), payOrder(parts)];
}
