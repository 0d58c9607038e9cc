import { triggerSchedule as trigger } from '@duework/schedules';
import type { ApiParts } from '../../api.js';
import { answerRepeatable } from '../../http/answer-repeatable.js';
import { readTrigger, triggerBody } from '../../http/requests/trigger-body.js';
import { enqueuedJob, presentEnqueuedJob } from '../../jobs/present-job.js';
import { answerWithLocation } from '../../openapi/answers.js';
import { repeatParameter } from '../../openapi/parameters.js';
import { DATABASE_PROBLEMS, JOB_PROBLEMS, problems, REPEAT_PROBLEMS } from '../../openapi/problems.js';
import { keyParameter } from '../../schedules/schedule-problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_SCHEDULES } from '../../over-queue/refusals.js';
import { bySchedule } from '../../shards/plans/by-schedule.js';

/**
 * `POST /v1/schedules/{key}/trigger`: makes one run now, beside the due times, or that of a due time that was skipped.
 */
export function triggerSchedule(parts: ApiParts): QueueRoute {
  return {
    scope: 'schedules',
    over: NO_SCHEDULES,
    shards: bySchedule,
    doc: {
      method: 'post',
      path: '/v1/schedules/{key}/trigger',
      operationId: 'triggerSchedule',
      summary: 'Run a schedule once, now, or a due time that was skipped',
      parameters: [keyParameter, repeatParameter],
      request: triggerBody.request,
      responses: {
        202: answerWithLocation('The job is in the queue; the next due time comes all the same.', enqueuedJob),
        ...problems(
          ...triggerBody.problems,
          'schedule_not_found',
          'invalid_option',
          ...JOB_PROBLEMS,
          ...REPEAT_PROBLEMS,
          'unknown_job_version',
          'invalid_template',
          ...DATABASE_PROBLEMS,
        ),
      },
    },
    bodyLimitBytes: triggerBody.limitBytes,
    async handle(c) {
      const options = await readTrigger(c);
      return answerRepeatable(
        c,
        parts,
        async (tx) => {
          const job = await trigger(tx ?? parts.db, parts.catalog, c.req.param('key') ?? '', options);
          return {
            status: 202,
            headers: { Location: `/v1/jobs/${job.id}` },
            body: presentEnqueuedJob(job, { principal: c.get('principal'), catalog: parts.catalog }),
          };
        },
        // the scope is all that it takes, and was checked
        () => {},
      );
    },
  };
}
