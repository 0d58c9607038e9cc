import type { Json } from '../job.js';

/** What a claim tells of a run; times as microseconds before its now. */
export type RunRow = [
  id: number,
  fence: number,
  version: number,
  priority: number,
  attempt: number,
  maxAttempts: number,
  dueMicrosAgo: number,
  createdMicrosAgo: number,
  type: string,
  idempotencyKey: string | null,
  payload: Json,
];

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
    nowMicros: number,
  ) {
    const [
      id,
      fence,
      version,
      priority,
      attempt,
      maxAttempts,
      dueMicrosAgo,
      createdMicrosAgo,
      type,
      idempotencyKey,
      payload,
    ] = row;
    this.id = String(id);
    this.type = type;
    this.version = version;
    this.priority = priority;
    this.payload = payload;
    this.idempotencyKey = idempotencyKey;
    this.attempt = attempt;
    this.maxAttempts = maxAttempts;
    this.fence = fence;
    this.waitedMs = dueMicrosAgo / 1_000;
    // whole numbers, so that a moment is the very one
    this.runAtMs = (nowMicros - dueMicrosAgo) / 1_000;
    this.createdAtMs = (nowMicros - createdMicrosAgo) / 1_000;
  }
}
