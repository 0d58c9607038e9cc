import { triggerSchedule as trigger } from '@duework/schedules';
import type { ApiParts, Route } from '../api.js';
import { retryConflicts } from '../http/retry-conflicts.js';
import { enqueuedJob, presentEnqueuedJob } from '../jobs/present-job.js';
import { answerWithLocation } from '../openapi/answers.js';
import { DATABASE_PROBLEMS, JOB_PROBLEMS, problems } from '../openapi/problems.js';
import { keyParameter } from '../schedules/schedule-problems.js';

/** `POST /v1/schedules/{key}/trigger`: makes one run now, beside the slots. */
export function triggerSchedule({ db, databaseUrl, catalog }: ApiParts): Route {
  return {
    scope: 'schedules',
    doc: {
      method: 'post',
      path: '/v1/schedules/{key}/trigger',
      operationId: 'triggerSchedule',
      summary: 'Run a schedule once, now',
      parameters: [keyParameter],
      responses: {
        202: answerWithLocation('The job is in the queue; the next slot comes all the same.', enqueuedJob),
        ...problems(
          'schedule_not_found',
          ...JOB_PROBLEMS,
          'unknown_job_version',
          'invalid_template',
          ...DATABASE_PROBLEMS,
        ),
      },
    },
    async handle(c) {
      const job = await retryConflicts(databaseUrl, () => trigger(db, catalog, c.req.param('key') ?? ''));
      return c.json(presentEnqueuedJob(job), 202, { Location: `/v1/jobs/${job.id}` });
    },
  };
}
