// does one job, says which, and stops
import { createPostgresStore, createWorker, heartbeatInThread } from 'duework/worker';
import pg from 'pg';
import contracts from './contracts.cjs';

const { catalog } = contracts;
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
const db = { $queryRaw: async ({ text, values }) => (await pool.query(text, [...values])).rows };
const silent = { debug() {}, info() {}, warn() {}, error() {} };
let order;
const worker = createWorker({
  name: 'worker-esm',
  store: createPostgresStore({ db }),
  leases: heartbeatInThread({ url: process.env.DATABASE_URL, catalog }),
  catalog,
  handlers: { send_receipt: ({ payload }) => void (order = payload.orderId) },
  emit: async ({ name }) => {
    if (name !== 'job.succeeded') return;
    await worker.stop({ deadlineMs: 1_000 });
    await pool.end();
    console.log(`order ${order}`);
    process.exit(order === 2 ? 0 : 1);
  },
  logOf: () => silent,
});
await worker.start();
