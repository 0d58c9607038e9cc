import type { JobWatch } from '@duework/operate';
import { checkJob } from '../access/check-job.js';
import { withhold } from '../access/withhold.js';
import type { ApiParts, Route } from '../api.js';
import { jobState } from '../live/job-state.js';
import { streamEvents } from '../live/stream-events.js';
import { idParameter } from '../openapi/parameters.js';
import { DATABASE_PROBLEMS, problems } from '../openapi/problems.js';

/**
 * `GET /v1/jobs/{id}/events`: the state of a job now and after each change, until it has finished. A client that comes again
 * with `Last-Event-ID` is not told what it has seen; where that was the end, 204 tells it to stay away.
 */
export function followJob(parts: ApiParts, watch: JobWatch): Route {
  const { queue, isStopping } = parts;
  return {
    scope: 'read',
    isForSomeTypes: true,
    doc: {
      method: 'get',
      path: '/v1/jobs/{id}/events',
      operationId: 'followJob',
      summary: 'Follow a job',
      description: 'Server-sent events named `job`; the stream ends when the job has finished.',
      parameters: [
        idParameter('job'),
        {
          name: 'Last-Event-ID',
          in: 'header',
          schema: { type: 'string' },
          description: 'The last event that was seen.',
        },
      ],
      responses: {
        200: {
          description: 'The events; the data of each is a JobState.',
          content: { 'text/event-stream': { schema: jobState } },
        },
        204: { description: 'The job has finished, and that was the last event seen.' },
        ...problems('job_not_found', 'invalid_job_id', ...DATABASE_PROBLEMS),
      },
    },
    async handle(c) {
      const given = c.req.param('id') ?? '';
      await checkJob(parts, c, given);
      const { job } = await queue.getJob(given);
      const seen = c.req.header('last-event-id');
      if (seen === `${job.id}-end`) return c.body(null, 204);
      return streamEvents((sink) => {
        return watch.watch(job.id, (state) => {
          if (state === null) return sink.end();
          const isEnd = state.finishedAt !== null;
          const id = isEnd ? `${state.id}-end` : state.revision;
          if (id !== seen) sink.send({ event: 'job', id, data: withhold(c.get('principal'), state) });
          if (isEnd) sink.end();
        });
      }, isStopping);
    },
  };
}
