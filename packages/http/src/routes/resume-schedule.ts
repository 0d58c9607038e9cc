import { resumeSchedule as resume } from '@duework/schedules';
import { withhold } from '../access/withhold.js';
import type { ApiParts, Route } from '../api.js';
import { retryConflicts } from '../http/retry-conflicts.js';
import { answer } from '../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../openapi/problems.js';
import { schedule } from '../schedules/present-schedule.js';
import { keyParameter } from '../schedules/schedule-problems.js';

/** `POST /v1/schedules/{key}/resume`: the schedule fires again; its policy decides about the slots it missed. */
export function resumeSchedule({ db, databaseUrl }: ApiParts): Route {
  return {
    scope: 'schedules',
    doc: {
      method: 'post',
      path: '/v1/schedules/{key}/resume',
      operationId: 'resumeSchedule',
      summary: 'Resume a schedule',
      parameters: [keyParameter],
      responses: { 200: answer('The schedule.', schedule), ...problems('schedule_not_found', ...DATABASE_PROBLEMS) },
    },
    async handle(c) {
      return c.json(
        withhold(c.get('principal'), await retryConflicts(databaseUrl, () => resume(db, c.req.param('key') ?? ''))),
      );
    },
  };
}
