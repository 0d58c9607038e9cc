import { fixMoments } from '@duework/filter';
import { DueworkError } from '@duework/queue-core';
import type { BulkChange, BulkRequest } from './bulk-action.js';
import type { BulkPlan } from './bulk-plan.js';
import { readFilter } from '../search/read-filter.js';
import { checkChange } from './check-change.js';
import { readStatuses } from './stages.js';
import type { BulkActionRow } from './sql/bulk-action-row.js';

/** What a request asks for. Throws `invalid_filter`, `invalid_option`, `bulk_action_refused`. */
export function planRequest(request: BulkRequest, now: string): BulkPlan {
  checkChange(request);
  const filter = fixMoments(readFilter(request.filter), new Date(now));
  const statuses = readStatuses(request.verb, filter);
  if (statuses.stages.length === 0)
    throw new DueworkError('bulk_action_refused', {
      reason:
        request.verb === 'delete' && statuses.wanted.length === 0
          ? 'say which jobs to delete: status:dead or status:cancelled'
          : `${request.verb} is not for jobs that are ${statuses.wanted.join(', ')}`,
    });
  return { change: request, filter, statuses, now };
}

/** What a running action does, from its row. */
export function planOfRow(row: BulkActionRow): BulkPlan {
  const change = { ...row.options, verb: row.verb } as BulkChange;
  const filter = fixMoments(readFilter(row.filter), new Date(row.began));
  return { change, filter, statuses: readStatuses(change.verb, filter), now: row.began };
}
