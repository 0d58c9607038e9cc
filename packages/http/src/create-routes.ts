import {
  FilterWatch,
  type FilterWatchOptions,
  JobWatch,
  type JobWatchOptions,
  readFollowedPage,
  readJobStates,
} from '@duework/operate';
import { systemClock } from '@duework/queue-core';
import { AccessWatch } from './access/access-watch.js';
import { Share } from './access/share.js';
import type { ApiParts, Route } from './api.js';
import { createStepper } from './bulk/step-in-background.js';
import type { QueueRoute } from './queue-route.js';
import { createStreams } from './live/create-streams.js';
import { limitReads } from './reads/limit-reads.js';
import { acknowledgeAlert, silenceAlert, testAlerts } from './routes/alerts/change-alert.js';
import { listAlerts } from './routes/alerts/list-alerts.js';
import { createKey } from './routes/keys/create-key.js';
import { listKeys } from './routes/keys/list-keys.js';
import { revokeKey } from './routes/keys/revoke-key.js';
import { checkPayloads } from './routes/contracts/check-payloads.js';
import { countJobs } from './routes/jobs/count-jobs.js';
import { deleteSchedule } from './routes/schedules/delete-schedule.js';
import { enqueueJob } from './routes/jobs/enqueue-job.js';
import { enqueueJobs } from './routes/jobs/enqueue-jobs.js';
import { explainProblem } from './routes/server/explain-problem.js';
import { followJob } from './routes/live/follow-job.js';
import { followJobs } from './routes/live/follow-jobs.js';
import { getJob } from './routes/jobs/get-job.js';
import { getSchedule } from './routes/schedules/get-schedule.js';
import { listConsoleLinks } from './routes/console/list-console-links.js';
import { listContracts } from './routes/contracts/list-contracts.js';
import { listProblems } from './routes/server/list-problems.js';
import { listEndedJobs } from './routes/jobs/list-ended-jobs.js';
import { listJobs } from './routes/jobs/list-jobs.js';
import { listSchedules } from './routes/schedules/list-schedules.js';
import { listDueTimes } from './routes/schedules/list-due-times.js';
import { pauseSchedule } from './routes/schedules/pause-schedule.js';
import { previewSavedSchedule } from './routes/schedules/preview-saved-schedule.js';
import { previewSchedule } from './routes/schedules/preview-schedule.js';
import { reportLiveness } from './routes/server/report-liveness.js';
import { reportMetrics } from './routes/figures/report-metrics.js';
import { reportReadiness } from './routes/server/report-readiness.js';
import { resumeSchedule } from './routes/schedules/resume-schedule.js';
import { jobVerbs } from './routes/jobs/job-verbs.js';
import { saveSchedule } from './routes/schedules/save-schedule.js';
import { showConsolePage } from './routes/console/show-console-page.js';
import { showConsoleFile } from './routes/console/show-console-file.js';
import { showDocs } from './routes/server/show-docs.js';
import { showDocsFile } from './routes/server/show-docs-file.js';
import { showIndex } from './routes/server/show-index.js';
import { showOpenapi } from './routes/server/show-openapi.js';
import { showPrincipal } from './routes/keys/show-principal.js';
import { triggerSchedule } from './routes/schedules/trigger-schedule.js';
import { reportDoctor } from './routes/server/report-doctor.js';
import { explainJob } from './routes/jobs/explain-job.js';
import { listEffects } from './routes/jobs/list-effects.js';
import { addToBatch } from './routes/batches/add-to-batch.js';
import { beginBatch } from './routes/batches/begin-batch.js';
import { cancelBatch } from './routes/batches/cancel-batch.js';
import { getBatch } from './routes/batches/get-batch.js';
import { listBatches } from './routes/batches/list-batches.js';
import { listSteps } from './routes/jobs/list-steps.js';
import { decide } from './routes/approvals/decide.js';
import { decideByLink } from './routes/approvals/decide-by-link.js';
import { listApprovals } from './routes/approvals/list-approvals.js';
import { showApprovalPage } from './routes/approvals/show-approval-page.js';
import { changeWait } from './routes/jobs/change-wait.js';
import { listSignals } from './routes/signals/list-signals.js';
import { sendSignal } from './routes/signals/send-signal.js';
import { listEvents } from './routes/events/list-events.js';
import { publishEvent } from './routes/events/publish-event.js';
import { previewReplay, replayEvents } from './routes/events/replay-events.js';
import { unsubscribe } from './routes/events/unsubscribe.js';
import { changeSlots, previewSlots } from './routes/queues/change-slots.js';
import { pauseQueueOrType, resumeQueueOrType } from './routes/queues/pause-queue-or-type.js';
import { listQueues } from './routes/queues/list-queues.js';
import { listPauses } from './routes/queues/list-pauses.js';
import { checkEffects } from './routes/figures/check-effects.js';
import { listFailures } from './routes/figures/list-failures.js';
import { listFigures } from './routes/figures/list-figures.js';
import { listUnserved } from './routes/contracts/list-unserved.js';
import { listWorkers } from './routes/figures/list-workers.js';
import { changeFlowRule, previewFlowRule } from './routes/flow/change-flow-rule.js';
import { closeFlowKey, openFlowKey } from './routes/flow/close-flow-key.js';
import { listFlowKeys } from './routes/flow/list-flow-keys.js';
import { listFlowRules, showFlowRule } from './routes/flow/list-flow-rules.js';
import { listWorkflows } from './routes/workflows/list-workflows.js';
import { beginSignIn } from './routes/sign-in/begin-sign-in.js';
import { endSignIn } from './routes/sign-in/end-sign-in.js';
import { refreshSignIn } from './routes/sign-in/refresh-sign-in.js';
import { finishSignIn } from './routes/sign-in/finish-sign-in.js';
import { showSignIn } from './routes/sign-in/show-sign-in.js';
import { createSignInAttempts } from './sign-in/sign-in-attempts.js';
import { abortBulkAction } from './routes/bulk-actions/abort-bulk-action.js';
import { getBulkAction } from './routes/bulk-actions/get-bulk-action.js';
import { listAudit } from './routes/audit/list-audit.js';
import { listBulkActions } from './routes/bulk-actions/list-bulk-actions.js';
import { previewBulkAction } from './routes/bulk-actions/preview-bulk-action.js';
import { startBulkAction } from './routes/bulk-actions/start-bulk-action.js';
import { updateJob } from './routes/jobs/update-job.js';
import { undoBulkAction } from './routes/bulk-actions/undo-bulk-action.js';
import { wake } from './routes/queues/wake.js';

/** How long a change may go unseen by those who follow a job or a filter. */
const WATCH_EVERY_MS = 500;
/** Different filters that are followed in one process. */
const MAX_FOLLOWED_FILTERS = 200;
/** Of these, those that one principal was the first to follow. */
const MAX_FILTERS_OF_ONE = 20;
const MAX_STREAMS = 2_000;

/** What bounds the streams of a process. */
export const createStreamShare = ({ maxStreams = MAX_STREAMS, metrics }: ApiParts): Share =>
  new Share(maxStreams, 'streams', (held) => metrics.streams.set(held));

/** What is read of the jobs that somebody follows. */
export type ReadFollowed = Pick<JobWatchOptions, 'readStates'> & Pick<FilterWatchOptions, 'readPage'>;

const readFrom = (parts: ApiParts): ReadFollowed => {
  const { db } = limited(parts);
  return { readStates: (ids) => readJobStates(db, ids), readPage: (filter) => readFollowedPage(db, filter) };
};

/** What only reads gets clients whose statements are cancelled where they take too long. */
const limited = ({ db, readDb }: ApiParts): Pick<ApiParts, 'db' | 'readDb'> => ({
  db: limitReads(db),
  ...(readDb === undefined ? {} : { readDb: limitReads(readDb) }),
});

/** Every route, those of the program that mounts the API (`own`) among them. */
export function createRoutes(
  parts: ApiParts,
  readDocument: () => object,
  own: readonly Route[] = [],
  streams = createStreamShare(parts),
  followed = readFrom(parts),
): readonly Route[] {
  const reading = { ...parts, ...limited(parts) };
  const watching = {
    ...followed,
    clock: systemClock,
    everyMs: WATCH_EVERY_MS,
    onError: (error: unknown) => parts.log.warn({ reason: (error as Error).message }, 'watch.failed'),
  };
  const watch = new JobWatch(watching);
  const filterWatch = new FilterWatch({ ...watching, maxFilters: MAX_FOLLOWED_FILTERS, maxOfOne: MAX_FILTERS_OF_ONE });
  const access = new AccessWatch(parts);
  const streamEvents = createStreams(parts, access, streams);
  const step = createStepper(parts);
  const signIns = createSignInAttempts(parts);
  const first: readonly QueueRoute[] = [
    showIndex(),
    showPrincipal(parts, () => first),
    listConsoleLinks(parts),
    showSignIn(parts),
    beginSignIn(signIns),
    finishSignIn(parts, signIns),
    refreshSignIn(parts, signIns),
    endSignIn(signIns),
    enqueueJob(parts),
    listJobs(reading),
    enqueueJobs(parts),
    countJobs(reading),
    listEndedJobs(reading),
    getJob(parts, watch, access, streams),
    followJob(parts, watch, streamEvents),
    followJobs(reading, filterWatch, streamEvents),
    listSignals(parts),
    sendSignal(parts),
    listEvents(reading),
    publishEvent(parts),
    replayEvents(parts),
    previewReplay(reading),
    unsubscribe(parts),
    listApprovals(reading),
    decide(parts),
    showApprovalPage(reading),
    decideByLink(parts),
    changeWait(parts),
    beginBatch(parts),
    listBatches(reading),
    getBatch(reading),
    addToBatch(parts),
    cancelBatch(parts),
    updateJob(parts),
    ...jobVerbs(parts),
    listContracts(reading),
    checkPayloads(reading),
    listSchedules(reading),
    saveSchedule(parts),
    getSchedule(reading),
    deleteSchedule(parts),
    pauseSchedule(parts),
    resumeSchedule(parts),
    triggerSchedule(parts),
    previewSavedSchedule(reading),
    previewSchedule(reading),
    listDueTimes(reading),
    wake(parts),
    reportDoctor(reading),
    explainJob(reading),
    listEffects(reading),
    listSteps(reading),
    listQueues(reading),
    pauseQueueOrType('queue', parts),
    resumeQueueOrType('queue', parts),
    pauseQueueOrType('type', parts),
    changeSlots(parts),
    previewSlots(parts),
    resumeQueueOrType('type', parts),
    listPauses(reading),
    listAlerts(reading),
    silenceAlert(parts),
    acknowledgeAlert(parts),
    testAlerts(parts),
    listFlowRules(reading),
    showFlowRule(reading),
    changeFlowRule(parts),
    previewFlowRule(reading),
    listFlowKeys(reading),
    closeFlowKey(parts),
    openFlowKey(parts),
    checkEffects(parts),
    listFailures(reading),
    listWorkflows(reading),
    listFigures(reading),
    listWorkers(reading),
    listUnserved(reading),
    previewBulkAction(reading),
    startBulkAction(parts, step),
    listBulkActions(reading),
    getBulkAction(reading),
    abortBulkAction(parts),
    undoBulkAction(parts, step),
    listAudit(reading),
    listKeys(reading),
    createKey(parts),
    revokeKey(parts),
  ];
  const last: readonly QueueRoute[] = [
    reportLiveness(),
    reportReadiness(parts),
    reportMetrics(reading),
    showOpenapi(readDocument),
    showConsolePage(),
    showConsoleFile(),
    showDocs(),
    showDocsFile(),
    listProblems(),
    explainProblem(),
  ];
  return [...first, ...own, ...last];
}
