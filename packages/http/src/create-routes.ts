import type { ApiParts, Route } from './api.js';
import { acknowledgeJob } from './routes/acknowledge-job.js';
import { cancelJob } from './routes/cancel-job.js';
import { countJobs } from './routes/count-jobs.js';
import { deleteSchedule } from './routes/delete-schedule.js';
import { enqueueJob } from './routes/enqueue-job.js';
import { enqueueJobs } from './routes/enqueue-jobs.js';
import { explainProblem } from './routes/explain-problem.js';
import { freeKey } from './routes/free-key.js';
import { getJob } from './routes/get-job.js';
import { getSchedule } from './routes/get-schedule.js';
import { listContracts } from './routes/list-contracts.js';
import { listProblems } from './routes/list-problems.js';
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
import { showDocs } from './routes/show-docs.js';
import { showDocsFile } from './routes/show-docs-file.js';
import { showIndex } from './routes/show-index.js';
import { showOpenapi } from './routes/show-openapi.js';
import { triggerSchedule } from './routes/trigger-schedule.js';
import { wake } from './routes/wake.js';

/** Every route, those of the program that mounts the API (`own`) among them. */
export function createRoutes(
  parts: ApiParts,
  readDocument: () => object,
  own: readonly Route[] = [],
): readonly Route[] {
  return [
    showIndex(),
    enqueueJob(parts),
    listJobs(parts),
    enqueueJobs(parts),
    countJobs(parts),
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
    showDocs(),
    showDocsFile(),
    listProblems(),
    explainProblem(),
  ];
}
