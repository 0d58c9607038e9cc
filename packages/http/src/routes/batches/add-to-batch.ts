import { addToBatch as add } from '@duework/queue-core';
import type { ApiParts } from '../../api.js';
import { batchParameter } from '../../batches/present-batch.js';
import { answerRepeatable } from '../../http/answer-repeatable.js';
import { parseBody } from '../../http/requests/parse-body.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import { newJobs } from '../../jobs/new-job.js';
import { presentEnqueuedJob } from '../../jobs/present-job.js';
import { readJobRequests } from '../../jobs/read-job-requests.js';
import { answer } from '../../openapi/answers.js';
import { repeatParameter } from '../../openapi/parameters.js';
import { BODY_PROBLEMS, DATABASE_PROBLEMS, JOB_PROBLEMS, problems, REPEAT_PROBLEMS } from '../../openapi/problems.js';
import { BATCH_BYTES, enqueuedJobs, manyJobs } from '../jobs/enqueue-jobs.js';
import type { QueueRoute } from '../../queue-route.js';
import { needsBatches } from '../../over-queue/refusals.js';
import { once } from '../../over-queue/refuse-repeats.js';
import { byId } from '../../shards/plans/by-id.js';

/** `POST /v1/batches/{id}/jobs`: adds up to 1,000 jobs to a batch of which some are open, all or none. */
export function addToBatch(parts: ApiParts): QueueRoute {
  return {
    // a batch may have jobs of any type: not for keys that are limited to some
    scope: 'enqueue',
    over: needsBatches(once),
    shards: byId,
    doc: {
      method: 'post',
      path: '/v1/batches/{id}/jobs',
      operationId: 'addToBatch',
      summary: 'Add jobs to a batch',
      parameters: [batchParameter, repeatParameter],
      request: { body: { required: true, content: { 'application/json': { schema: manyJobs } } } },
      responses: {
        202: answer('The jobs are in the queue, in the order of the request.', enqueuedJobs),
        ...problems(
          ...BODY_PROBLEMS,
          ...JOB_PROBLEMS,
          'batch_not_found',
          'batch_settled',
          ...REPEAT_PROBLEMS,
          ...DATABASE_PROBLEMS,
        ),
      },
    },
    bodyLimitBytes: BATCH_BYTES,
    async handle(c) {
      const principal = c.get('principal');
      const id = c.req.param('id') ?? '';
      return answerRepeatable(
        c,
        parts,
        async (tx) => {
          const requests = readJobRequests(parseBody(newJobs, await readJsonBody(c)).jobs, principal, parts);
          const jobs = await (tx === null ? parts.queue.addToBatch(id, requests) : add(tx, id, requests));
          const shown = jobs.map((job) => presentEnqueuedJob(job, { principal, catalog: parts.catalog }));
          return { status: 202, body: { jobs: shown } };
        },
        () => {},
      );
    },
  };
}
