import type { JobFilter } from '@duework/filter';
import type { BulkChange } from './bulk-action.js';
import type { BulkStatuses } from './stages.js';

/** An action as its steps need it: read from its row, and parsed. */
export interface BulkPlan {
  readonly change: BulkChange;
  readonly filter: JobFilter;
  readonly statuses: BulkStatuses;
  /** When it began, as ISO 8601: jobs that died or were cancelled later are none of its own. */
  readonly now: string;
}
