/** A live worker that reads the queue. */
export interface ResizedWorker {
  readonly name: string;
  /** How many handlers its program says that it runs at once; null: it runs an older release. */
  readonly declared: number | null;
  /** How many it runs at once, and how many it will. */
  readonly before: number | null;
  readonly after: number | null;
}

/** What a change of slots does to the workers of a queue. */
export interface SlotsChange {
  readonly queue: string;
  /** What is set for the queue after it; null: what the programs declare holds. */
  readonly slots: number | null;
  readonly workers: readonly ResizedWorker[];
  /** Slots of all of them together. */
  readonly before: number;
  readonly after: number;
  /** How many connections the server allows: a handler may need one of its own. */
  readonly maxConnections: number;
}

/** What an operator has set for a queue. */
export interface QueueSlots {
  readonly queue: string;
  readonly slots: number;
  readonly since: Date;
  readonly by: string | null;
  readonly reason: string | null;
}
