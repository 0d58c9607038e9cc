import { getSchedule as get } from '@duework/schedules';
import { showSchedule } from '../../access/shown/show-values.js';
import type { ApiParts, Route } from '../../api.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { schedule } from '../../schedules/present-schedule.js';
import { keyParameter } from '../../schedules/schedule-problems.js';

/** `GET /v1/schedules/{key}`: one schedule, with its next slot and its last run. */
export function getSchedule({ db, catalog }: ApiParts): Route {
  return {
    scope: 'read',
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
