/** A type that has an event's payload. */
export interface EventSubscriber {
  readonly type: string;
  readonly queue: string;
  /** The version of the event that its newest contract is written for. */
  readonly version: number;
  /** false: no event makes a job of it any more. */
  readonly isSubscribed: boolean;
  readonly delayMs: number;
  /** The live workers that run it; none: its jobs wait. */
  readonly workers: readonly string[];
}

/** An event that a worker has told of, and who has its jobs. */
export interface EventState {
  readonly event: string;
  readonly version: number;
  /** How long it is kept for a replay; null: not at all. */
  readonly keepMs: number | null;
  /** When the oldest that is kept was published; null: none is. */
  readonly oldestKeptAt: Date | null;
  readonly subscribers: readonly EventSubscriber[];
}

/** Which events a type is given that it has not had. */
export interface ReplayRequest {
  readonly event: string;
  /** The type. */
  readonly to: string;
  /** The first moment at which they were published, and the one before which; default: now. */
  readonly from: Date;
  readonly until?: Date | undefined;
}

export interface ReplayPreview {
  /** How many it would be given: the more there are, the longer it takes to count them, so only the first 100,000 are. */
  readonly events: number;
  readonly isAtLeast: boolean;
}

export interface Replay {
  readonly replayed: number;
  /** From which moment to go on, because there are more than one call does; null: it is done. */
  readonly nextFrom: Date | null;
}
