import { pauseSchedule as pause } from '@duework/schedules';
import type { ApiParts, Route } from '../api.js';
import { readAct, reasonBody } from '../http/reason-body.js';
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
      request: reasonBody.request,
      responses: {
        200: answer('The schedule.', schedule),
        ...problems(...reasonBody.problems, 'schedule_not_found', ...DATABASE_PROBLEMS),
      },
    },
    bodyLimitBytes: reasonBody.limitBytes,
    async handle(c) {
      const act = await readAct(c);
      return c.json(await retryConflicts(databaseUrl, () => pause(db, c.req.param('key') ?? '', act)));
    },
  };
}
