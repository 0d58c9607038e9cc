import type { Json, Meta } from '../../queue/job.js';
import type { ClaimedRun, RunTerms } from '../../ports/runs.js';

/** A run as the claim statement returns it; times are microseconds before the statement's now. */
export type RunRow = readonly [
  id: string,
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
  meta?: Meta | null,
  flow?: RowFlow,
  /** Of one that a settlement has taken: its queue, and the statement's now. */
  queue?: string,
  nowSeconds?: number,
];

/** What only runs that stood in line, or have terms, return. */
interface RowFlow {
  readonly gates: readonly string[] | null;
  readonly terms: RunTerms | null;
}

const NO_FLOW: RowFlow = { gates: null, terms: null };

/**
 * A run as its worker gets it, made from a claim's row. A class, not a literal: V8 may allocate literals that outlive
 * their turn in its old generation from the start, where collecting them is expensive.
 */
export class ClaimedRow implements ClaimedRun {
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly priority: number;
  readonly payload: Json;
  readonly meta: Meta | null;
  readonly gates: readonly string[] | null;
  readonly terms: RunTerms | null;
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
    readonly lostNumber: readonly string[] | null,
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
      meta = null,
      flow = NO_FLOW,
    ] = row;
    this.id = id;
    this.type = type;
    this.version = version;
    this.priority = priority;
    this.payload = payload;
    this.meta = meta;
    this.gates = flow.gates;
    this.terms = flow.terms;
    this.idempotencyKey = idempotencyKey;
    this.attempt = attempt;
    this.maxAttempts = maxAttempts;
    this.fence = fence;
    this.waitedMs = dueMicrosAgo / 1_000;
    // subtracted as whole microseconds, so that the moment is exact
    this.runAtMs = (nowMicros - dueMicrosAgo) / 1_000;
    this.createdAtMs = (nowMicros - createdMicrosAgo) / 1_000;
  }
}
