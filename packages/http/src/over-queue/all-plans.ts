import { ApiError } from '../api-error.js';
import type { ApiContext } from '../api.js';
import { parseQuery } from '../http/requests/parse-query.js';
import { followQuery } from '../routes/live/follow-jobs.js';
import { batchPageQuery } from '../routes/batches/list-batches.js';
import { listContracts } from './list-contracts.js';
import { askedListing, countJobs, listJobs } from './list-jobs.js';
import { listQueues } from './list-queues.js';
import type { Plan, QueueParts } from './plan.js';
import { metricsOf, readiness } from './report-health.js';

/** Routes that ask the queue, or nothing at all: they answer over any queue as over a database. */
export const AS_EVERYWHERE = [
  'getJob',
  'followJob',
  'updateJob',
  'retryJob',
  'cancelJob',
  'acknowledgeJob',
  'freeKey',
  'getBatch',
  'cancelBatch',
  'pauseQueue',
  'resumeQueue',
  'pauseType',
  'resumeType',
  'listPauses',
  'showIndex',
  'showPrincipal',
  'listConsoleLinks',
  'showSignIn',
  'beginSignIn',
  'finishSignIn',
  'refreshSignIn',
  'endSignIn',
  'reportLiveness',
  'showOpenapi',
  'showConsole',
  'showConsoleFile',
  'showDocs',
  'showDocsFile',
  'listProblems',
  'explainProblem',
] as const;

/** How each other route answers over a queue without a database, by its `operationId`. */
export function allPlans(parts: QueueParts): Readonly<Record<string, Plan>> {
  const { queue } = parts;
  return {
    listJobs: listJobs(parts),
    countJobs: countJobs(parts),
    followJobs: {
      says: 'It follows what this queue can list.',
      handle(c, route) {
        askedListing(c, parseQuery(followQuery, c).filter);
        return route.handle(c);
      },
    },
    listQueues: listQueues(parts),
    listContracts: listContracts(parts),
    listBatches: { handle: async (c) => c.json(await queue.listBatches(parseQuery(batchPageQuery, c))) },
    enqueueJob: once,
    enqueueJobs: once,
    beginBatch: once,
    addToBatch: once,
    sendSignal: once,
    reportReadiness: readiness(parts),
    reportMetrics: metricsOf(parts),
  };
}

/** What may be sent again elsewhere, because its answer is kept. */
const once: Plan = {
  says: 'This queue keeps no answers: an `Idempotency-Key` is refused, and the `idempotencyKey` of a job is not.',
  handle(c, route) {
    refuseKey(c);
    return route.handle(c);
  },
};

function refuseKey(c: ApiContext): void {
  if (c.req.header('idempotency-key') === undefined) return;
  throw new ApiError(
    'not_supported',
    'This queue keeps no answers, so that a request with an Idempotency-Key cannot be sent again. Give the job an idempotencyKey.',
  );
}
