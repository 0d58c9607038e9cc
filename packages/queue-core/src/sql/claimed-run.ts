import type { Json } from '../job.js';

/** What a claim tells of a run, in this order. */
export type RunRow = [number, string, number, number, Json, string | null, number, number, number, number, number];

/**
 * A run as the worker that claimed it sees it. A class, because V8 may decide to make literals old from the start that most often
 * outlive their turn, and collects them dearly.
 */
export class ClaimedRun {
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly priority: number;
  readonly payload: Json;
  readonly idempotencyKey: string | null;
  /** This attempt, from 1; it is charged. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** The number that every write about this attempt names. */
  readonly fence: number;
  /** From due to claimed, on the database's clock. */
  readonly waitedMs: number;
  readonly runAtMs: number;
  readonly createdAtMs: number;

  constructor(
    row: RunRow,
    readonly queue: string,
    nowSeconds: number,
  ) {
    const [id, type, version, priority, payload, idempotencyKey, attempt, maxAttempts, fence, runAt, createdAt] = row;
    this.id = String(id);
    this.type = type;
    this.version = version;
    this.priority = priority;
    this.payload = payload;
    this.idempotencyKey = idempotencyKey;
    this.attempt = attempt;
    this.maxAttempts = maxAttempts;
    this.fence = fence;
    this.waitedMs = (nowSeconds - runAt) * 1_000;
    this.runAtMs = runAt * 1_000;
    this.createdAtMs = createdAt * 1_000;
  }
}
