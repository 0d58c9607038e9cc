import { resumeSchedule as resume } from '@duework/schedules';
import { showSchedule } from '../../access/shown/show-values.js';
import type { ApiParts } from '../../api.js';
import { readAct, reasonBody } from '../../http/requests/reason-body.js';
import { retryConflicts } from '../../http/retry-conflicts.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { resumedSchedule } from '../../schedules/present-schedule.js';
import { keyParameter } from '../../schedules/schedule-problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_SCHEDULES } from '../../over-queue/refusals.js';
import { bySchedule } from '../../shards/plans/by-schedule.js';

/** `POST /v1/schedules/{key}/resume`: the schedule fires again; its policy decides about the due times it missed. */
export function resumeSchedule({ db, databaseUrl, catalog }: ApiParts): QueueRoute {
  return {
    scope: 'schedules',
    over: NO_SCHEDULES,
    shards: bySchedule,
    doc: {
      method: 'post',
      path: '/v1/schedules/{key}/resume',
      operationId: 'resumeSchedule',
      summary: 'Resume a schedule',
      parameters: [keyParameter],
      request: reasonBody.request,
      responses: {
        200: answer('The schedule, and what becomes of the due times that came meanwhile.', resumedSchedule),
        ...problems(...reasonBody.problems, 'schedule_not_found', ...DATABASE_PROBLEMS),
      },
    },
    bodyLimitBytes: reasonBody.limitBytes,
    async handle(c) {
      const act = await readAct(c);
      const { meanwhile, ...resumed } = await retryConflicts(databaseUrl, () =>
        resume(db, c.req.param('key') ?? '', act),
      );
      return c.json({ ...showSchedule(catalog, c.get('principal'), resumed), meanwhile });
    },
  };
}
