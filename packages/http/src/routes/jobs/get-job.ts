import { z } from '@hono/zod-openapi';
import type { JobWatch } from '@duework/operate';
import { checkJob } from '../../access/check-job.js';
import type { AccessWatch } from '../../access/access-watch.js';
import type { Share } from '../../access/share.js';
import type { ApiParts } from '../../api.js';
import { answerExactly } from '../../http/exact-json.js';
import { parseQuery } from '../../http/requests/parse-query.js';
import { jobDetail } from '../../jobs/present-job.js';
import { readJobDetail } from '../../jobs/read-job-detail.js';
import { waitForEnd } from '../../live/wait-for-end.js';
import { answer } from '../../openapi/answers.js';
import { idParameter } from '../../openapi/parameters.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { byId } from '../../shards/plans/by-id.js';

const MAX_WAIT_SECONDS = 60;
const seconds = `A whole number of seconds from 0 to ${MAX_WAIT_SECONDS}`;
const query = z.strictObject({
  wait: z
    .string()
    .regex(/^\d{1,2}$/, seconds)
    .transform(Number)
    .refine((wait) => wait <= MAX_WAIT_SECONDS, seconds)
    .default(0),
  whole: z.enum(['true', 'false'], 'true or false').default('false'),
});

/**
 * `GET /v1/jobs/{id}`: one job, live or finished, with its attempts on record. With `wait` it answers when the job has
 * finished; with `whole` also what is in the store of objects.
 */
export function getJob(parts: ApiParts, watch: JobWatch, access: AccessWatch, streams: Share): QueueRoute {
  return {
    scope: 'read',
    isForSomeTypes: true,
    over: 'same',
    shards: byId,
    doc: {
      method: 'get',
      path: '/v1/jobs/{id}',
      operationId: 'getJob',
      summary: 'Look a job up',
      parameters: [
        idParameter('job'),
        {
          name: 'wait',
          in: 'query',
          description: 'For how many seconds to wait until the job has finished; then it is answered as it is.',
          schema: { type: 'integer', minimum: 0, maximum: MAX_WAIT_SECONDS, default: 0 },
        },
        {
          name: 'whole',
          in: 'query',
          description: 'Reads a payload and a result that were too large for their row from the store of objects.',
          schema: { type: 'boolean', default: false },
        },
      ],
      responses: {
        200: answer('The job.', jobDetail),
        ...problems(
          'invalid_query',
          'job_not_found',
          'invalid_job_id',
          'rate_limited',
          'offload_missing',
          'object_missing',
          'object_altered',
          'store_unavailable',
          'overloaded',
          ...DATABASE_PROBLEMS,
        ),
      },
    },
    async handle(c) {
      const id = c.req.param('id') ?? '';
      const { wait, whole: asked } = parseQuery(query, c);
      const whole = asked === 'true';
      await checkJob(parts, c, id);
      const job = await readJobDetail(parts, c, id, whole);
      if (wait === 0 || job.finishedAt !== null) return answerExactly(c, job);
      const giveBack = streams.take(c.get('principal'));
      const gone = new AbortController();
      const leave = access.enter(c, () => gone.abort());
      await waitForEnd(watch, job.id, wait * 1_000, AbortSignal.any([c.req.raw.signal, gone.signal])).finally(() => {
        leave();
        giveBack();
      });
      // what was right at the beginning may be revoked by now
      c.set('principal', await c.get('authorizeAgain')());
      await checkJob(parts, c, id);
      return answerExactly(c, await readJobDetail(parts, c, id, whole));
    },
  };
}
