import { FilterWatch, JobWatch } from '@duework/operate';
import { systemClock } from '@duework/queue-core';
import { AccessWatch } from './access/access-watch.js';
import { Share } from './access/share.js';
import type { ApiParts, Route } from './api.js';
import { createStepper } from './bulk/step-in-background.js';
import { createStreams } from './live/create-streams.js';
import { acknowledgeJob } from './routes/acknowledge-job.js';
import { cancelJob } from './routes/cancel-job.js';
import { createKey } from './routes/create-key.js';
import { listKeys } from './routes/list-keys.js';
import { revokeKey } from './routes/revoke-key.js';
import { checkPayloads } from './routes/check-payloads.js';
import { countJobs } from './routes/count-jobs.js';
import { deleteSchedule } from './routes/delete-schedule.js';
import { enqueueJob } from './routes/enqueue-job.js';
import { enqueueJobs } from './routes/enqueue-jobs.js';
import { explainProblem } from './routes/explain-problem.js';
import { followJob } from './routes/follow-job.js';
import { followJobs } from './routes/follow-jobs.js';
import { freeKey } from './routes/free-key.js';
import { getJob } from './routes/get-job.js';
import { getSchedule } from './routes/get-schedule.js';
import { listConsoleLinks } from './routes/list-console-links.js';
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
import { showConsolePage } from './routes/show-console-page.js';
import { showConsoleFile } from './routes/show-console-file.js';
import { showDocs } from './routes/show-docs.js';
import { showDocsFile } from './routes/show-docs-file.js';
import { showIndex } from './routes/show-index.js';
import { showOpenapi } from './routes/show-openapi.js';
import { showPrincipal } from './routes/show-principal.js';
import { triggerSchedule } from './routes/trigger-schedule.js';
import { reportDoctor } from './routes/report-doctor.js';
import { explainJob } from './routes/explain-job.js';
import { listEffects } from './routes/list-effects.js';
import { listQueues } from './routes/list-queues.js';
import { pauseQueue } from './routes/pause-queue.js';
import { resumeQueue } from './routes/resume-queue.js';
import { pauseType } from './routes/pause-type.js';
import { resumeType } from './routes/resume-type.js';
import { listPauses } from './routes/list-pauses.js';
import { listFailures } from './routes/list-failures.js';
import { listFigures } from './routes/list-figures.js';
import { listUnread } from './routes/list-unread.js';
import { listWorkers } from './routes/list-workers.js';
import { beginSignIn } from './routes/begin-sign-in.js';
import { finishSignIn } from './routes/finish-sign-in.js';
import { showSignIn } from './routes/show-sign-in.js';
import { createSignInAttempts } from './sign-in/sign-in-attempts.js';
import { abortBulkAction } from './routes/abort-bulk-action.js';
import { getBulkAction } from './routes/get-bulk-action.js';
import { listAudit } from './routes/list-audit.js';
import { listBulkActions } from './routes/list-bulk-actions.js';
import { previewBulkAction } from './routes/preview-bulk-action.js';
import { startBulkAction } from './routes/start-bulk-action.js';
import { undoBulkAction } from './routes/undo-bulk-action.js';
import { wake } from './routes/wake.js';

/** How long a change may go unseen by those who follow a job or a filter. */
const WATCH_EVERY_MS = 500;
/** Different filters that are followed in one process. */
const MAX_FOLLOWED_FILTERS = 200;
/** Of these, those that one principal was the first to follow. */
const MAX_FILTERS_OF_ONE = 20;
const MAX_STREAMS = 2_000;

/** Every route, those of the program that mounts the API (`own`) among them. */
export function createRoutes(
  parts: ApiParts,
  readDocument: () => object,
  own: readonly Route[] = [],
): readonly Route[] {
  const watching = {
    db: parts.db,
    clock: systemClock,
    everyMs: WATCH_EVERY_MS,
    onError: (error: unknown) => parts.log.warn({ reason: (error as Error).message }, 'watch.failed'),
  };
  const watch = new JobWatch(watching);
  const filterWatch = new FilterWatch({ ...watching, maxFilters: MAX_FOLLOWED_FILTERS, maxOfOne: MAX_FILTERS_OF_ONE });
  const streams = new Share(parts.maxStreams ?? MAX_STREAMS, 'streams', (held) => parts.metrics.streams.set(held));
  const streamEvents = createStreams(parts, new AccessWatch(parts), streams);
  const step = createStepper(parts);
  const signIns = createSignInAttempts(parts);
  return [
    showIndex(),
    showPrincipal(),
    listConsoleLinks(parts),
    showSignIn(parts),
    beginSignIn(signIns),
    finishSignIn(parts, signIns),
    enqueueJob(parts),
    listJobs(parts),
    enqueueJobs(parts),
    countJobs(parts),
    getJob(parts, watch, streams),
    followJob(parts, watch, streamEvents),
    followJobs(parts, filterWatch, streamEvents),
    retryJob(parts),
    cancelJob(parts),
    acknowledgeJob(parts),
    freeKey(parts),
    listContracts(parts),
    checkPayloads(parts),
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
    reportDoctor(parts),
    explainJob(parts),
    listEffects(parts),
    listQueues(parts),
    pauseQueue(parts),
    resumeQueue(parts),
    pauseType(parts),
    resumeType(parts),
    listPauses(parts),
    listFailures(parts),
    listFigures(parts),
    listWorkers(parts),
    listUnread(parts),
    previewBulkAction(parts),
    startBulkAction(parts, step),
    listBulkActions(parts),
    getBulkAction(parts),
    abortBulkAction(parts),
    undoBulkAction(parts, step),
    listAudit(parts),
    listKeys(parts),
    createKey(parts),
    revokeKey(parts),
    ...own,
    reportLiveness(),
    reportReadiness(parts),
    reportMetrics(parts),
    showOpenapi(readDocument),
    showConsolePage(),
    showConsoleFile(),
    showDocs(),
    showDocsFile(),
    listProblems(),
    explainProblem(),
  ];
}
