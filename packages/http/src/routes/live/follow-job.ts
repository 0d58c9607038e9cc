import type { JobWatch } from '@duework/operate';
import { checkJob } from '../../access/check-job.js';
import type { ApiParts } from '../../api.js';
import { jobState } from '../../live/job-state.js';
import { showState } from '../../live/show-state.js';
import type { StreamEvents } from '../../live/create-streams.js';
import { idParameter, lastEventId } from '../../openapi/parameters.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { followById } from '../../shards/plans/by-id.js';

/**
 * `GET /v1/jobs/{id}/events`: the state of a job now and after each change, until it has finished. A client that comes again
 * with `Last-Event-ID` is not told what it has seen; where that was the end, 204 tells it to stay away.
 */
export function followJob(parts: ApiParts, watch: JobWatch, streamEvents: StreamEvents): QueueRoute {
  const { queue } = parts;
  return {
    scope: 'read',
    isForSomeTypes: true,
    over: 'same',
    shards: followById,
    doc: {
      method: 'get',
      path: '/v1/jobs/{id}/events',
      operationId: 'followJob',
      summary: 'Follow a job',
      description: 'Server-sent events named `job`; the stream ends when the job has finished.',
      parameters: [idParameter('job'), lastEventId],
      responses: {
        200: {
          description: 'The events; the data of each is a JobState.',
          content: { 'text/event-stream': { schema: jobState } },
        },
        204: { description: 'The job has finished, and that was the last event seen.' },
        ...problems('job_not_found', 'invalid_job_id', 'rate_limited', 'overloaded', ...DATABASE_PROBLEMS),
      },
    },
    async handle(c) {
      const given = c.req.param('id') ?? '';
      await checkJob(parts, c, given);
      const { job } = await queue.getJob(given);
      const seen = c.req.header('last-event-id');
      if (seen === `${job.id}-end`) return c.body(null, 204);
      return streamEvents(c, (sink) => {
        let last = seen;
        return watch.watch(job.id, (state) => {
          if (state === null) return sink.end();
          const isEnd = state.finishedAt !== null;
          const data = showState(c.get('principal'), state);
          const id = isEnd ? `${state.id}-end` : data.revision;
          if (id !== last) sink.send({ event: 'job', id, data });
          last = id;
          if (isEnd) sink.end();
        });
      });
    },
  };
}
