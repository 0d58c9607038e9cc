/**
 * A worker of BullMQ, until it is killed: `node old-bullmq-worker.mjs <port of Redis> <url of the database>`. It writes each job
 * that it runs into the table `witness`, and a line when it is ready.
 */
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'bullmq';
import { Pool } from 'pg';

const [port, url] = process.argv.slice(2);
const pool = new Pool({ connectionString: url, max: 2 });
const worker = new Worker(
  'mail',
  async ({ data: { n } }) => {
    // it leaves the mover something to move
    await setTimeout(50);
    await pool.query(`INSERT INTO witness (n, side) VALUES ($1, 'old')`, [n]);
  },
  { connection: { host: '127.0.0.1', port: Number(port), maxRetriesPerRequest: null }, concurrency: 2 },
);
worker.on('error', () => {});
await worker.waitUntilReady();
process.stdout.write('ready\n');
