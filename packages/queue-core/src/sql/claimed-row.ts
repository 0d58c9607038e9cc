import type { Json } from '../job.js';
import type { ClaimedRun } from '../ports/runs.js';

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
 * A run as its worker gets it from a claim's row. A class, because V8 may decide to make literals old from the start that most often
 * outlive their turn, and collects them dearly.
 */
export class ClaimedRow implements ClaimedRun {
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly priority: number;
  readonly payload: Json;
  readonly idempotencyKey: string | null;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly fence: number;
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
