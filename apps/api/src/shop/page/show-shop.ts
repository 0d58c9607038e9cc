import { DATABASE_PROBLEMS, problems, type Route } from '@duework/http';
import { readNow } from '@duework/queue-core';
import { findLives } from '../life/find-lives.js';
import { ARTICLE } from '../life/order-life.js';
import type { ShopParts } from '../shop-parts.js';
import { openMailServer } from '../trouble/mail-server.js';
import type { TroubleParts } from '../trouble/trouble-parts.js';
import { renderShop } from './render-shop.js';
import { SHOP_POLICY } from './shop-style.js';

const parameter = (name: string, description: string) => ({
  name,
  in: 'query' as const,
  description,
  schema: { type: 'string' as const },
});

/** `GET /shop`: the shop's page, with buttons that make work and trouble for the console to show, and the orders that were
 * begun there. It holds nothing secret. */
export function showShop({ db }: ShopParts, trouble: TroubleParts): Route {
  const mailServer = openMailServer(trouble.mailboxUrl);
  return {
    scope: 'public',
    doc: {
      method: 'get',
      path: '/shop',
      operationId: 'showShop',
      summary: 'The shop, with buttons that make trouble',
      parameters: [
        parameter('did', 'Which button was pressed.'),
        parameter('job', 'The job that it made.'),
        parameter('refused', 'Why it could not be done.'),
      ],
      responses: {
        200: { description: 'A page.', content: { 'text/html': { schema: { type: 'string' } } } },
        ...problems(...DATABASE_PROBLEMS),
      },
    },
    async handle(c) {
      const { did, job, refused } = c.req.query();
      c.header('Content-Security-Policy', SHOP_POLICY);
      // its own forms have to say where they come from
      c.header('Referrer-Policy', 'same-origin');
      const [lives, stock, nowMs] = await Promise.all([
        findLives(db),
        db.stock.findUnique({ where: { article: ARTICLE } }),
        readNow(db),
      ]);
      const page = renderShop({
        life: { lives, left: stock?.quantity ?? 0, now: new Date(nowMs) },
        basePath: c.get('basePath'),
        mailboxUrl: trouble.mailboxUrl,
        refusedUntil: await mailServer.refusedUntil(),
        canKill: trouble.killWorker !== null,
        doOrdersComeIn: trouble.orders.isOn,
        pressed: did === undefined && refused === undefined ? null : { name: did ?? '', jobId: job, refused },
      });
      return c.html(page);
    },
  };
}
