import { DATABASE_PROBLEMS, idParameter, problems, retryConflicts, type Route } from '@duework/http';
import type { Prisma } from '@duework/database';
import { CUSTOMERS } from '../orders/customers.js';
import { findOrder, parseOrderId } from '../orders/find-order.js';
import type { ShopParts } from '../shop-parts.js';
import { cancelOrder, payOrder, placeOnAccount, placeOrder } from './order-life.js';

/** So that one can see it without waiting for a week. */
const SHORT = { payWithin: '1m', reviewAfter: '20s' } as const;
/** With time to read a mail. */
const ON_ACCOUNT = { payWithin: '10m', reviewAfter: '20s' } as const;

type Act = (tx: Prisma.TransactionClient, orderId: number) => Promise<boolean>;

/** The buttons of an order's life: each does one transaction, and leads back to the page, which says how the order stands. */
export function live({ db, databaseUrl }: ShopParts): readonly Route[] {
  const route = (path: string, summary: string, act: Act, isOfOne = path.includes('{id}')): Route => ({
    scope: 'operate',
    doc: {
      method: 'post',
      path: `/shop/${path}`,
      operationId: `shop_${path.replace('orders/{id}/', '').replaceAll('-', '_')}`,
      summary,
      ...(isOfOne ? { parameters: [idParameter('order')] } : {}),
      responses: {
        303: { description: "The shop's page, which says how the order stands." },
        ...problems(...(isOfOne ? (['not_found'] as const) : []), ...DATABASE_PROBLEMS),
      },
    },
    async handle(c) {
      const orderId = isOfOne ? (await findOrder(db, parseOrderId(c.req.param('id')))).id : 0;
      const isDone = await retryConflicts(databaseUrl, () => db.$transaction((tx) => act(tx, orderId)));
      return c.redirect(isDone ? '/shop' : '/shop?refused=late', 303);
    },
  });
  const place =
    (times?: Parameters<typeof placeOrder>[2], begin = placeOrder): Act =>
    async (tx) => {
      const { name, email, timeZone } = CUSTOMERS[0]!;
      const user = await tx.user.upsert({ where: { email }, create: { name, email, timeZone }, update: { name } });
      await begin(tx, user.id, times);
      return true;
    };
  return [
    route('order-later', 'Order something, and pay later', place()),
    route('order-later-short', 'The same, with short waits', place(SHORT)),
    route(
      'order-on-account',
      'Order something on account, which the desk approves by mail',
      place(ON_ACCOUNT, placeOnAccount),
    ),
    route('orders/{id}/pay', 'Pay an order that waits for it', payOrder),
    route('orders/{id}/cancel', 'Cancel an order that nobody has paid', cancelOrder),
  ];
}
