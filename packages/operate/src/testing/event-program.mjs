/**
 * One program of those that are killed: `node event-program.mjs <url> <publisher|worker|late>`. Publishers write
 * orders of few numbers, each in the transaction that publishes it, and roll some of them back; so they race for keys.
 * Workers write what they run in the transaction that completes it; `late` is one of a type that subscribes when it
 * starts. Whoever loses its connection goes on.
 */
import { defineCatalog, defineEvent, defineSubscriber } from '@duework/contracts';
import { connectPrisma, parseDatabaseUrl } from '@duework/database';
import { createPostgresStore, createWorker, heartbeatInThread, publish } from '@duework/queue-core';
import { z } from 'zod';

const orderPaid = defineEvent({ name: 'order_paid', payload: z.object({ n: z.int() }), keep: '1d' });
const [receipt, book, late] = ['receipt', 'book', 'late'].map((type) =>
  defineSubscriber({ type, on: orderPaid, lease: '1s', retry: { kind: 'fixed', delayMs: 10 }, maxAttempts: 1000 }),
);
export const catalog = defineCatalog([receipt, book]);

const [url, role] = process.argv.slice(2);

async function publishForEver(db) {
  for (;;) {
    const n = Math.floor(Math.random() * 4_000);
    try {
      await db.$transaction(async (tx) => {
        const isNew = (await tx.$executeRaw`INSERT INTO orders (n) VALUES (${n}::int) ON CONFLICT DO NOTHING`) === 1;
        const { isDeduplicated } = await publish(tx, orderPaid, { n }, { idempotencyKey: `order:${n}` });
        if (isNew === isDeduplicated) await tx.$executeRaw`INSERT INTO wrong (n) VALUES (${n}::int)`;
        if (Math.random() < 0.2) throw new Error('rolled back');
      });
    } catch {
      // rolled back, or the connection was cut: nobody knows which, and the next one tells
    }
  }
}

async function work(db, ofCatalog) {
  const silent = () => {};
  const run = async ({ run: { type }, payload: { n }, completeIn }) =>
    db.$transaction(async (tx) => {
      await tx.$executeRaw`INSERT INTO ran (type, n) VALUES (${type}::text, ${n}::int)`;
      await completeIn(tx);
    });
  const worker = createWorker({
    name: `w${process.pid}`,
    store: createPostgresStore({ db }),
    catalog: ofCatalog,
    handlers: Object.fromEntries(ofCatalog.map(({ type }) => [type, run])),
    emit: silent,
    logOf: () => ({ debug: silent, info: silent, warn: silent, error: silent }),
    pollIntervalMs: 10,
    leases: heartbeatInThread({ ...parseDatabaseUrl(url), catalog: ofCatalog }),
  });
  await worker.start();
}

if (role !== undefined) {
  // whoever started it has given it up by then
  setTimeout(() => process.exit(1), 300_000).unref();
  const db = connectPrisma({ url, poolSize: 4 });
  await (role === 'publisher' ? publishForEver(db) : work(db, role === 'late' ? defineCatalog([late]) : catalog));
}
