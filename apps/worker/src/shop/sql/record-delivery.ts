import { Prisma, type PrismaClient } from '@duework/database';

/** The receiver took the event: it is not sent there again. A delivery that is already recorded stays as it is. */
export async function recordDelivery(
  db: PrismaClient,
  delivery: { eventId: string; url: string; httpStatus: number },
): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    INSERT INTO shop.delivered_webhooks (event_id, url, http_status)
    VALUES (${delivery.eventId}::text, ${delivery.url}::text, ${delivery.httpStatus}::integer)
    ON CONFLICT (event_id, url) DO NOTHING
  `);
}
