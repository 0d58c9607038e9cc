import { pauseSchedule as pause } from '@duework/schedules';
import { showSchedule } from '../../access/shown/show-values.js';
import type { ApiParts } from '../../api.js';
import { pauseBody, readPause } from '../../http/requests/pause-body.js';
import { retryConflicts } from '../../http/retry-conflicts.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { schedule } from '../../schedules/present-schedule.js';
import { keyParameter } from '../../schedules/schedule-problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_SCHEDULES } from '../../over-queue/refusals.js';
import { bySchedule } from '../../shards/plans/by-schedule.js';

/** `POST /v1/schedules/{key}/pause`: a paused schedule fires nothing until it is resumed. */
export function pauseSchedule({ db, databaseUrl, catalog }: ApiParts): QueueRoute {
  return {
    scope: 'schedules',
    over: NO_SCHEDULES,
    shards: bySchedule,
    doc: {
      method: 'post',
      path: '/v1/schedules/{key}/pause',
      operationId: 'pauseSchedule',
      summary: 'Pause a schedule',
      parameters: [keyParameter],
      request: pauseBody.request,
      responses: {
        200: answer('The schedule.', schedule),
        ...problems(...pauseBody.problems, 'schedule_not_found', 'invalid_option', ...DATABASE_PROBLEMS),
      },
    },
    bodyLimitBytes: pauseBody.limitBytes,
    async handle(c) {
      const options = await readPause(c);
      return c.json(
        showSchedule(
          catalog,
          c.get('principal'),
          await retryConflicts(databaseUrl, () => pause(db, c.req.param('key') ?? '', options)),
        ),
      );
    },
  };
}
