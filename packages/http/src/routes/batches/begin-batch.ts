import { BATCH_MOMENTS, type BatchRequest, enqueueBatch, type JobRequest, type RawClient } from '@duework/queue-core';
import { z } from '@hono/zod-openapi';
import type { ApiParts } from '../../api.js';
import { answerRepeatable } from '../../http/answer-repeatable.js';
import { parseBody } from '../../http/requests/parse-body.js';
import { plainText } from '../../http/requests/plain-text.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import { checkTypes } from '../../jobs/check-types.js';
import { MAX_BATCH } from '../../jobs/new-job.js';
import { enqueuedJob, presentEnqueuedJob } from '../../jobs/present-job.js';
import { readJobRequests } from '../../jobs/read-job-requests.js';
import { answerWithLocation } from '../../openapi/answers.js';
import { repeatParameter } from '../../openapi/parameters.js';
import { BODY_PROBLEMS, DATABASE_PROBLEMS, JOB_PROBLEMS, problems, REPEAT_PROBLEMS } from '../../openapi/problems.js';
import { NEW_JOB } from '../../openapi/register-job-schemas.js';
import { BATCH_BYTES } from '../jobs/enqueue-jobs.js';
import { idOf } from '../../openapi/mark-ids.js';
import type { QueueRoute } from '../../queue-route.js';
import { needsBatches } from '../../over-queue/refusals.js';
import { once } from '../../over-queue/refuse-repeats.js';
import { callbacksOf, enqueue, jobsOf } from '../../shards/plans/enqueue.js';

const newBatch = z.strictObject({
  name: plainText(200).optional(),
  jobs: z.array(z.unknown()).max(MAX_BATCH),
  onSettled: z.unknown().optional(),
  onSucceeded: z.unknown().optional(),
  onFirstDead: z.unknown().optional(),
});

const job = { $ref: NEW_JOB };
const bodySchema = {
  type: 'object' as const,
  properties: {
    name: { type: 'string' as const, maxLength: 200 },
    jobs: { type: 'array' as const, maxItems: MAX_BATCH, items: job },
    // enqueued once all have ended, once all have succeeded, when the first one is dead
    onSettled: job,
    onSucceeded: job,
    onFirstDead: job,
  },
  required: ['jobs'],
  additionalProperties: false,
};

const begun = z.object({ id: z.string().openapi(idOf('batch')), jobs: z.array(enqueuedJob) }).openapi('BegunBatch');

/** `POST /v1/batches`: enqueues up to 1,000 jobs that belong together; more are added with `POST /v1/batches/{id}/jobs`. */
export function beginBatch(parts: ApiParts): QueueRoute {
  return {
    scope: 'enqueue',
    isForSomeTypes: true,
    over: needsBatches(once),
    shards: enqueue(parts, (body) => [...jobsOf(body), ...callbacksOf(body)]),
    doc: {
      method: 'post',
      path: '/v1/batches',
      operationId: 'beginBatch',
      summary: 'Enqueue jobs that belong together, and what comes once they have ended',
      parameters: [repeatParameter],
      request: { body: { required: true, content: { 'application/json': { schema: bodySchema } } } },
      responses: {
        202: answerWithLocation('The batch has begun; its jobs, in the order of the request.', begun),
        ...problems(...BODY_PROBLEMS, ...JOB_PROBLEMS, ...REPEAT_PROBLEMS, ...DATABASE_PROBLEMS),
      },
    },
    bodyLimitBytes: BATCH_BYTES,
    async handle(c) {
      const principal = c.get('principal');
      const enqueue = (tx: RawClient | null, batch: BatchRequest) =>
        tx === null ? parts.queue.enqueueBatch(batch) : enqueueBatch(tx, batch);
      const read = async () => placesOf(parseBody(newBatch, await readJsonBody(c)));
      return answerRepeatable(
        c,
        parts,
        async (tx) => {
          const { name, jobs, callbacks } = await read();
          const pointers = [...jobs, ...callbacks].map(([pointer]) => pointer);
          const values = [...jobs, ...callbacks].map(([, value]) => value);
          const requests = readJobRequests(values, principal, parts, (index) => pointers[index]!);
          const given: { [moment: string]: JobRequest } = {};
          for (const [at, [pointer]] of callbacks.entries()) given[pointer.slice(1)] = requests[jobs.length + at]!;
          const begunNow = await enqueue(tx, { name, jobs: requests.slice(0, jobs.length), ...given });
          return {
            status: 202,
            headers: { Location: `/v1/batches/${begunNow.id}` },
            body: {
              id: begunNow.id,
              jobs: begunNow.jobs.map((one) => presentEnqueuedJob(one, { principal, catalog: parts.catalog })),
            },
          };
        },
        async () => {
          const { jobs, callbacks } = await read();
          const all = [...jobs, ...callbacks];
          checkTypes(
            principal,
            all.map(([, value]) => value),
            (index) => all[index]![0],
          );
        },
      );
    },
  };
}

type Placed = readonly [pointer: string, value: unknown];

/** Each job of the body with where it stands. */
function placesOf(body: z.output<typeof newBatch>): {
  readonly name: string | undefined;
  readonly jobs: readonly Placed[];
  readonly callbacks: readonly Placed[];
} {
  const callbacks = BATCH_MOMENTS.filter((moment) => body[moment] !== undefined);
  return {
    name: body.name,
    jobs: body.jobs.map((value, index) => [`/jobs/${index}`, value]),
    callbacks: callbacks.map((moment) => [`/${moment}`, body[moment]]),
  };
}
