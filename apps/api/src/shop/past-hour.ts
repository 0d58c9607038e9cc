import type { Prisma } from '@duework/database';
import { createPostgresStore, readNow } from '@duework/queue-core';
import { sendReceipt } from '@duework/shop';
import { CUSTOMERS } from './orders/customers.js';
import { insertPastReceipts, type PastReceipt } from './sql/insert-past-receipts.js';

const MINUTE_MS = 60_000;
const MINUTES = 58;
/** Between so many minutes ago and so many the mail server refused some mails at first. */
const [REFUSED_FROM, REFUSED_TO] = [37, 32];
const RETRIED_AFTER_MS = 21_000;

/**
 * Writes the hour before: receipts that were mailed then, and what a worker has counted of them, so that the charts of the
 * demonstration have something to show from its first minute on. A program of yours never writes its past.
 */
export async function writePastHour(tx: Prisma.TransactionClient): Promise<void> {
  const nowMs = await readNow(tx);
  const receipts = listReceipts(nowMs);
  await insertPastReceipts(tx, receipts);
  await createPostgresStore({ db: tx }).writeFigures!(countMinutes(receipts));
}

function listReceipts(nowMs: number): PastReceipt[] {
  const receipts: PastReceipt[] = [];
  for (let ago = MINUTES; ago >= 1; ago--) {
    const count = Math.round(15 + 8 * Math.sin(ago / 7) + 4 * Math.sin(ago * 2.3));
    for (let n = 0; n < count; n++) {
      const spread = (n * 37 + ago * 11) % 100;
      const dueMs = nowMs - ago * MINUTE_MS + (n * MINUTE_MS) / count;
      const isRefused = ago <= REFUSED_FROM && ago >= REFUSED_TO && n % 3 === 0;
      receipts.push({
        receiptId: `P-${ago}-${n}`,
        email: CUSTOMERS[(n + ago) % CUSTOMERS.length]!.email,
        amountCents: 1_990 + spread * 35,
        dueMs,
        waitedMs: 1 + (spread % 9) + (spread > 95 ? 140 : 0),
        ranMs: 60 + spread * 2 + (spread > 93 ? 600 : 0),
        retriedMs: isRefused ? dueMs + RETRIED_AFTER_MS : null,
      });
    }
  }
  return receipts.filter(({ dueMs, retriedMs }) => (retriedMs ?? dueMs) < nowMs - 1_000);
}

type Row = Parameters<NonNullable<ReturnType<typeof createPostgresStore>['writeFigures']>>[0][number];

/** What a worker would have counted, minute by minute. */
function countMinutes(receipts: readonly PastReceipt[]): Row[] {
  const minutes = new Map<number, { claimed: number; failed: number; waited: number[]; ran: number[] }>();
  const count = (atMs: number, { waitedMs, ranMs }: PastReceipt, hasFailed: boolean): void => {
    const minute = atMs - (atMs % MINUTE_MS);
    const cell = minutes.get(minute) ?? { claimed: 0, failed: 0, waited: [], ran: [] };
    minutes.set(minute, cell);
    cell.claimed++;
    if (hasFailed) cell.failed++;
    cell.waited.push(waitedMs);
    cell.ran.push(ranMs);
  };
  for (const receipt of receipts) {
    count(receipt.dueMs, receipt, receipt.retriedMs !== null);
    if (receipt.retriedMs !== null) count(receipt.retriedMs, receipt, false);
  }
  const sum = (times: readonly number[]): number => times.reduce((total, ms) => total + ms, 0);
  return [...minutes].map(([atMs, { claimed, failed, waited, ran }]) => ({
    atMs,
    queue: sendReceipt.queue,
    type: sendReceipt.type,
    claimed,
    succeeded: claimed - failed,
    failed,
    dead: 0,
    cancelled: 0,
    snoozed: 0,
    waited: countPlaces(waited),
    ran: countPlaces(ran),
    waitedMs: sum(waited),
    ranMs: sum(ran),
  }));
}

/** How many took how long, by doublings, as workers count them. */
function countPlaces(times: readonly number[]): number[] {
  const places: number[] = [];
  for (const ms of times) {
    const place = 32 - Math.clz32(ms);
    while (places.length <= place) places.push(0);
    places[place]!++;
  }
  return places;
}
