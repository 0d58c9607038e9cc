import type { Catalog } from '@duework/contracts';
import type { EmitEvent, Transactable } from '@duework/queue-core';

/** What `tickSchedules` is given. */
export interface TickOptions {
  readonly db: Transactable;
  /** The types of which this process can make runs. */
  readonly catalog: Catalog;
  /** Who ticks, for the events. */
  readonly worker?: string;
  readonly emit?: EmitEvent;
  /** How many schedules one transaction decides about; 1,000 unless given. */
  readonly batchSize?: number;
  /** Ends the tick between two batches. */
  readonly signal?: AbortSignal;
}
