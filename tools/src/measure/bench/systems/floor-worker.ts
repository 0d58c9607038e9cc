import type pg from 'pg';
import type { Handle, Payload } from './system.js';

const BATCH = 500;
const POLL_MS = 500;

const CLAIM = `
  UPDATE bench_floor.jobs
  SET status = 'running', attempts = attempts + 1, fence = fence + 1, locked_by = $1,
    locked_until = now() + interval '30 seconds', claimed_at = now()
  WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM bench_floor.jobs
    WHERE queue = 'default' AND priority = 5 AND status IN ('queued', 'failed') AND run_at <= now()
    ORDER BY run_at, id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
  ))
  RETURNING id, job_type, attempts, payload::text`;
const SETTLE = 'DELETE FROM bench_floor.jobs WHERE id = ANY($1::bigint[])';

interface ClaimedRow {
  readonly id: string;
  readonly payload: string;
}

/** The loops of the floor's worker, which wake each other. */
export class FloorWorker {
  readonly #waiting: ClaimedRow[] = [];
  readonly #finished: string[] = [];
  #running = 0;
  #isStopping = false;
  #isWoken = false;
  /** Each function resolves one sleeping loop. */
  readonly #sleepers = new Set<() => void>();

  constructor(
    private readonly handle: Handle,
    private readonly concurrency: number,
  ) {}

  wake(): void {
    this.#isWoken = true;
    this.#changed();
  }

  stop(): void {
    this.#isStopping = true;
    this.#changed();
  }

  async claimUntilStopped(client: pg.Client): Promise<void> {
    while (!this.#isStopping) {
      this.#isWoken = false;
      const rows = this.#waiting.length >= BATCH ? [] : await claim(client);
      this.#waiting.push(...rows);
      this.#run();
      if (rows.length === 0 && !this.#isWoken) await this.#sleep();
    }
  }

  async settleUntilStopped(client: pg.Client): Promise<void> {
    while (!this.#isStopping || this.#finished.length > 0 || this.#running > 0) {
      if (this.#finished.length === 0) await this.#sleep();
      else await client.query({ name: 'settle', text: SETTLE, values: [this.#finished.splice(0, BATCH)] });
    }
  }

  #run(): void {
    while (this.#running < this.concurrency) {
      const row = this.#waiting.shift();
      if (row === undefined) break;
      const result = this.handle(JSON.parse(row.payload) as Payload);
      if (result === undefined) {
        this.#finished.push(row.id);
        continue;
      }
      this.#running += 1;
      void result.then(() => {
        this.#running -= 1;
        this.#finished.push(row.id);
        this.#run();
      });
    }
    this.#changed();
  }

  /** Waits until something has changed, or for a while. */
  #sleep(): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#sleepers.delete(end);
        resolve();
      };
      const timer = setTimeout(end, POLL_MS);
      this.#sleepers.add(end);
    });
  }

  #changed(): void {
    for (const end of [...this.#sleepers]) end();
  }
}

async function claim(client: pg.Client): Promise<ClaimedRow[]> {
  const { rows } = await client.query<ClaimedRow>({ name: 'claim', text: CLAIM, values: [`bench-${process.pid}`] });
  return rows;
}
