import { deleteSchedule as remove } from '@duework/schedules';
import type { ApiParts } from '../../api.js';
import { readActFromQuery, reasonParameter } from '../../http/requests/reason-body.js';
import { retryConflicts } from '../../http/retry-conflicts.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { keyParameter } from '../../schedules/schedule-problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_SCHEDULES } from '../../over-queue/refusals.js';
import { bySchedule } from '../../shards/plans/by-schedule.js';

/** `DELETE /v1/schedules/{key}`: deletes a schedule; its runs and its ledger stay. */
export function deleteSchedule({ db, databaseUrl }: ApiParts): QueueRoute {
  return {
    scope: 'schedules',
    over: NO_SCHEDULES,
    shards: bySchedule,
    doc: {
      method: 'delete',
      path: '/v1/schedules/{key}',
      operationId: 'deleteSchedule',
      summary: 'Delete a schedule',
      parameters: [keyParameter, reasonParameter],
      responses: {
        204: { description: 'It is gone.' },
        ...problems('invalid_query', 'schedule_not_found', ...DATABASE_PROBLEMS),
      },
    },
    async handle(c) {
      const act = readActFromQuery(c);
      await retryConflicts(databaseUrl, () => remove(db, c.req.param('key') ?? '', act));
      return c.body(null, 204);
    },
  };
}
