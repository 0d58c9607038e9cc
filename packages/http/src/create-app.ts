import { OpenAPIHono } from '@hono/zod-openapi';
import { SCOPES, type Principal } from './access/principal.js';
import type { ApiEnv, ApiParts, Route } from './api.js';
import { addRoutes } from './http/add-routes.js';
import { answerError } from './http/answer-error.js';
import { ApiError } from './api-error.js';
import { observeRequest } from './observe/observe-request.js';
import { registerJobSchemas } from './openapi/register-job-schemas.js';
import { acknowledgeJob } from './routes/acknowledge-job.js';
import { cancelJob } from './routes/cancel-job.js';
import { deleteSchedule } from './routes/delete-schedule.js';
import { enqueueJob } from './routes/enqueue-job.js';
import { enqueueJobs } from './routes/enqueue-jobs.js';
import { freeKey } from './routes/free-key.js';
import { getJob } from './routes/get-job.js';
import { getSchedule } from './routes/get-schedule.js';
import { listContracts } from './routes/list-contracts.js';
import { listJobs } from './routes/list-jobs.js';
import { listSchedules } from './routes/list-schedules.js';
import { listSlots } from './routes/list-slots.js';
import { pauseSchedule } from './routes/pause-schedule.js';
import { previewSavedSchedule } from './routes/preview-saved-schedule.js';
import { previewSchedule } from './routes/preview-schedule.js';
import { reportLiveness } from './routes/report-liveness.js';
import { reportMetrics } from './routes/report-metrics.js';
import { reportReadiness } from './routes/report-readiness.js';
import { resumeSchedule } from './routes/resume-schedule.js';
import { retryJob } from './routes/retry-job.js';
import { saveSchedule } from './routes/save-schedule.js';
import { showIndex } from './routes/show-index.js';
import { showOpenapi } from './routes/show-openapi.js';
import { triggerSchedule } from './routes/trigger-schedule.js';
import { wake } from './routes/wake.js';

const EVERYBODY: Principal = { name: 'local', kind: 'local', scopes: SCOPES, types: null, from: null };

/**
 * The whole API as a Fetch handler, which a server, a test or another Hono app can mount. `own` are routes of the program
 * that mounts it, beside those of the queue: they are in its document, and refuse as it does.
 */
export function createApp(parts: ApiParts, own: readonly Route[] = []): OpenAPIHono<ApiEnv> {
  const app = new OpenAPIHono<ApiEnv>();
  let document: object | undefined;
  const readDocument = (): object =>
    (document ??= app.getOpenAPI31Document({
      openapi: '3.1.0',
      info: {
        title: 'Duework',
        version: '1',
        description: 'A durable job queue in PostgreSQL.',
      },
    }));

  app.use(observeRequest(parts));
  app.use((c, next) => (c.set('principal', EVERYBODY), next()));
  registerJobSchemas(app.openAPIRegistry, parts.catalog);
  const routes: Route[] = [
    showIndex(),
    enqueueJob(parts),
    listJobs(parts),
    enqueueJobs(parts),
    getJob(parts),
    retryJob(parts),
    cancelJob(parts),
    acknowledgeJob(parts),
    freeKey(parts),
    listContracts(parts),
    listSchedules(parts),
    saveSchedule(parts),
    getSchedule(parts),
    deleteSchedule(parts),
    pauseSchedule(parts),
    resumeSchedule(parts),
    triggerSchedule(parts),
    previewSavedSchedule(parts),
    previewSchedule(parts),
    listSlots(parts),
    wake(parts),
    ...own,
    reportLiveness(),
    reportReadiness(parts),
    reportMetrics(parts),
    showOpenapi(readDocument),
  ];
  addRoutes(app, routes);
  app.notFound((c) =>
    answerError(
      c,
      new ApiError('not_found', 'There is nothing at this address; GET / says what there is.'),
      parts.log,
      parts.databaseUrl,
    ),
  );
  app.onError((error, c) => answerError(c, error, parts.log, parts.databaseUrl));
  return app;
}
