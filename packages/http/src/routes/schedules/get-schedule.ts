import { getSchedule as get } from '@duework/schedules';
import { showSchedule } from '../../access/shown/show-values.js';
import type { ApiParts } from '../../api.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { schedule } from '../../schedules/present-schedule.js';
import { keyParameter } from '../../schedules/schedule-problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_SCHEDULES } from '../../over-queue/refusals.js';
import { bySchedule } from '../../shards/plans/by-schedule.js';

/** `GET /v1/schedules/{key}`: one schedule, with its next due time and its last run. */
export function getSchedule({ db, catalog }: ApiParts): QueueRoute {
  return {
    scope: 'read',
    over: NO_SCHEDULES,
    shards: bySchedule,
    doc: {
      method: 'get',
      path: '/v1/schedules/{key}',
      operationId: 'getSchedule',
      summary: 'Look a schedule up',
      parameters: [keyParameter],
      responses: { 200: answer('The schedule.', schedule), ...problems('schedule_not_found', ...DATABASE_PROBLEMS) },
    },
    async handle(c) {
      return c.json(showSchedule(catalog, c.get('principal'), await get(db, c.req.param('key') ?? '')));
    },
  };
}
