import { openClient } from './query-once.mjs';

const BATCH = 500;
const CONCURRENCY = 100;
const SETTLE_CONNECTIONS = 2;
const POLL_MS = 500;
const PLANS = '-c enable_seqscan=off -c enable_bitmapscan=off -c jit=off';

const CLAIM = `
  UPDATE bench_floor.jobs
  SET status = 'running', attempts = attempts + 1, fence = fence + 1, locked_by = $1, locked_until = now() + interval '30 seconds', claimed_at = now()
  WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM bench_floor.jobs
    WHERE queue = 'default' AND priority = 5 AND status IN ('queued', 'failed') AND run_at <= now()
    ORDER BY run_at, id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
  ))
  RETURNING id, job_type, attempts, payload::text`;
const SETTLE = 'DELETE FROM bench_floor.jobs WHERE id = ANY($1::bigint[])';

/** Claims ahead on one connection, settles on two, listens on a fourth. */
export async function openFloorWorker(url, { handle, concurrency = CONCURRENCY }) {
  const open = () => openClient(url, { options: PLANS });
  const worker = new FloorWorker(handle, concurrency);
  const claimer = await open();
  const settlers = await Promise.all(Array.from({ length: SETTLE_CONNECTIONS }, open));
  const listener = await open();
  listener.on('notification', () => worker.wake());
  await listener.query('LISTEN bench_floor');
  let loops = Promise.resolve();
  return {
    start() {
      loops = Promise.all([
        worker.claimUntilStopped(claimer),
        ...settlers.map((client) => worker.settleUntilStopped(client)),
      ]);
    },
    async stop() {
      worker.stop();
      await loops;
      await Promise.all([claimer, ...settlers, listener].map((client) => client.end()));
    },
  };
}

class FloorWorker {
  #waiting = [];
  #finished = [];
  #running = 0;
  #isStopping = false;
  #isWoken = false;
  /** Each resolves one sleeping loop. */
  #sleepers = new Set();

  constructor(handle, concurrency) {
    this.handle = handle;
    this.concurrency = concurrency;
  }

  wake() {
    this.#isWoken = true;
    this.#changed();
  }

  stop() {
    this.#isStopping = true;
    this.#changed();
  }

  async claimUntilStopped(client) {
    while (!this.#isStopping) {
      this.#isWoken = false;
      const isFull = this.#waiting.length >= BATCH;
      const { rows } = isFull
        ? { rows: [] }
        : await client.query({ name: 'claim', text: CLAIM, values: [`bench-${process.pid}`] });
      this.#waiting.push(...rows);
      this.#run();
      if (rows.length === 0 && !this.#isWoken) await this.#sleep();
    }
  }

  async settleUntilStopped(client) {
    while (!this.#isStopping || this.#finished.length > 0 || this.#running > 0) {
      if (this.#finished.length === 0) await this.#sleep();
      else await client.query({ name: 'settle', text: SETTLE, values: [this.#finished.splice(0, BATCH)] });
    }
  }

  #run() {
    while (this.#running < this.concurrency && this.#waiting.length > 0) {
      const { id, payload } = this.#waiting.shift();
      const result = this.handle(JSON.parse(payload));
      if (result === undefined) {
        this.#finished.push(id);
        continue;
      }
      this.#running += 1;
      void result.then(() => {
        this.#running -= 1;
        this.#finished.push(id);
        this.#run();
      });
    }
    this.#changed();
  }

  /** Until something has changed, or for a while. */
  #sleep() {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#sleepers.delete(end);
        resolve();
      };
      const timer = setTimeout(end, POLL_MS);
      this.#sleepers.add(end);
    });
  }

  #changed() {
    for (const end of [...this.#sleepers]) end();
  }
}
