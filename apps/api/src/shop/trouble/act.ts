import { problems, DATABASE_PROBLEMS, retryConflicts, type Route } from '@duework/http';
import { setTimeout as pause } from 'node:timers/promises';
import { placeConfirmedOrders } from '../orders/place-confirmed-orders.js';
import { placePaidOrders } from '../orders/place-paid-orders.js';
import type { ShopParts } from '../shop-parts.js';
import { ACTIONS } from './actions.js';
import { openMailServer } from './mail-server.js';
import type { TroubleParts } from './trouble-parts.js';
import type { TroubleTools } from './trouble-tools.js';

/** 20,000 orders are written in one transaction. */
const ORDER_MS = 30_000;
const LOOK_EVERY_MS = 50;
const LOOKS = 100;

/** `POST /shop/{action}`: does what a button of the shop's page says, and leads back to the page, which then says so. */
export function act(parts: ShopParts, trouble: TroubleParts): readonly Route[] {
  const { db, databaseUrl } = parts;
  const tools: TroubleTools = {
    order: (count, customers) =>
      retryConflicts(databaseUrl, () =>
        db.$transaction((tx) => placePaidOrders(tx, count, customers), { timeout: ORDER_MS }),
      ),
    confirm: (orders) =>
      retryConflicts(databaseUrl, () =>
        db.$transaction((tx) => placeConfirmedOrders(tx, orders), { timeout: ORDER_MS }),
      ),
    mailServer: openMailServer(trouble.mailboxUrl),
    killWorker: trouble.killWorker,
    async untilOneRuns(jobIds) {
      const where = { id: { in: jobIds.map(BigInt) }, status: 'running' };
      for (let looks = 0; looks < LOOKS && (await db.jobRun.count({ where })) === 0; looks += 1)
        await pause(LOOK_EVERY_MS);
    },
  };
  return Object.entries(ACTIONS).map(([name, { title, does, run }]) => ({
    scope: 'operate',
    doc: {
      method: 'post',
      path: `/shop/${name}`,
      operationId: `shop_${name}`,
      summary: title,
      description: does,
      responses: {
        303: { description: "The shop's page, which says what has happened." },
        ...problems(...DATABASE_PROBLEMS),
      },
    },
    async handle(c) {
      const { jobId, refused } = await run(tools);
      const told = new URLSearchParams({ did: name, ...(jobId && { job: jobId }), ...(refused && { refused }) });
      return c.redirect(`/shop?${told}`, 303);
    },
  }));
}
