/**
 * The barest SQL with `pg` on a table like Duework's own: no history, no fencing, no renewals, no retries. Nobody could
 * use it; it shows what the machine can do.
 */
import { migrateDatabase } from '@duework/database/migrate';
import type pg from 'pg';
import { openPool } from '../../../kit/open-client.js';
import { openFloorWorker } from './open-floor-worker.js';
import { isDrainedSql, openSqlInspector, queryOnce } from './query-once.js';
import type { Adapter, BusinessProducer, Producer, RowsAround } from './system.js';

const PRODUCER_POOL = 20;

const INSERT_ONE = 'INSERT INTO bench_floor.jobs (payload) VALUES ($1) RETURNING id';
const INSERT_MANY = `
  INSERT INTO bench_floor.jobs (payload, run_at)
  SELECT p, coalesce($2::timestamptz, now()) FROM jsonb_array_elements($1::jsonb) AS p
  RETURNING id`;

/** The floor's functions. */
export const makeAdapter = (): Adapter => ({
  install,
  openProducer,
  openBusinessProducer,
  openWorker: openFloorWorker,
  openInspector: (url) => openSqlInspector(url, isDrainedSql('bench_floor.jobs')),
  fill,
});

/** The same columns, checks and indexes as Duework's own, and the same fillfactor, which LIKE leaves out. */
async function install(url: string): Promise<void> {
  await migrateDatabase({ url });
  await queryOnce(
    url,
    `
    CREATE SCHEMA bench_floor;
    CREATE TABLE bench_floor.jobs (LIKE duework.job_runs INCLUDING ALL) WITH (fillfactor = 45);
    ALTER TABLE bench_floor.jobs
      ALTER id DROP DEFAULT, ALTER id ADD GENERATED ALWAYS AS IDENTITY,
      ALTER queue SET DEFAULT 'default', ALTER job_type SET DEFAULT 'send_mail', ALTER job_version SET DEFAULT 1,
      ALTER priority SET DEFAULT 5, ALTER max_attempts SET DEFAULT 10, ALTER run_at SET DEFAULT now();
    CREATE TABLE bench_floor.plain_jobs (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      key text UNIQUE,
      payload jsonb NOT NULL,
      run_at timestamptz NOT NULL DEFAULT now()
    )`,
  );
}

async function openProducer(url: string): Promise<Producer> {
  const pool = openPool(url, PRODUCER_POOL);
  const wake = wakeThrough(pool);
  return {
    async enqueue(payload) {
      await pool.query({ name: 'one', text: INSERT_ONE, values: [JSON.stringify(payload)] });
      wake();
    },
    async enqueueMany(payloads, { dueAt } = {}) {
      await pool.query({ name: 'many', text: INSERT_MANY, values: [JSON.stringify(payloads), dueAt ?? null] });
      wake();
    },
    close: () => pool.end(),
  };
}

/** A plain table of jobs, in the user's transaction. */
async function openBusinessProducer(): Promise<BusinessProducer> {
  return {
    enqueueIn(tx, payload, { isKeyed }) {
      const json = JSON.stringify(payload);
      return isKeyed
        ? tx.$executeRaw`INSERT INTO bench_floor.plain_jobs (key, payload) VALUES (${`mail:${payload.id}`}, ${json}::jsonb) ON CONFLICT (key) DO NOTHING`
        : tx.$executeRaw`INSERT INTO bench_floor.plain_jobs (payload) VALUES (${json}::jsonb)`;
    },
    close: async () => {},
  };
}

/** Sends one NOTIFY at a time, for everything that was committed since the last one was sent. */
function wakeThrough(pool: pg.Pool): () => void {
  let isSending = false;
  let isAgain = false;
  return function wake() {
    isAgain = isSending;
    if (isSending) return;
    isSending = true;
    void pool
      .query(`SELECT pg_notify('bench_floor', '')`)
      .catch(() => {})
      .finally(() => {
        isSending = false;
        if (isAgain) wake();
      });
  };
}

/** It keeps no finished rows. Jobs with an id below 0 are never drained. */
async function fill(url: string, { future }: RowsAround): Promise<void> {
  await queryOnce(
    url,
    `INSERT INTO bench_floor.jobs (id, run_at, payload) OVERRIDING SYSTEM VALUE
     SELECT -n, now() + interval '1 day' + n * interval '10 milliseconds',
       jsonb_build_object('id', n, 'to', 'a@example.com')
     FROM generate_series(1, ${future}) AS n`,
  );
}
