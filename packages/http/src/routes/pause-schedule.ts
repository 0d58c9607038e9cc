import { pauseSchedule as pause } from '@duework/schedules';
import { withhold } from '../access/withhold.js';
import type { ApiParts, Route } from '../api.js';
import { retryConflicts } from '../http/retry-conflicts.js';
import { answer } from '../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../openapi/problems.js';
import { schedule } from '../schedules/present-schedule.js';
import { keyParameter } from '../schedules/schedule-problems.js';

/** `POST /v1/schedules/{key}/pause`: a paused schedule fires nothing until it is resumed. */
export function pauseSchedule({ db, databaseUrl }: ApiParts): Route {
  return {
    scope: 'schedules',
    doc: {
      method: 'post',
      path: '/v1/schedules/{key}/pause',
      operationId: 'pauseSchedule',
      summary: 'Pause a schedule',
      parameters: [keyParameter],
      responses: { 200: answer('The schedule.', schedule), ...problems('schedule_not_found', ...DATABASE_PROBLEMS) },
    },
    async handle(c) {
      return c.json(
        withhold(c.get('principal'), await retryConflicts(databaseUrl, () => pause(db, c.req.param('key') ?? ''))),
      );
    },
  };
}
