import { KINDS_WITH_IDS } from '@duework/operate';
import { BATCH_MOMENTS } from '@duework/queue-core';
import type { ApiContext, ApiParts } from '../../api.js';
import type { Body } from '../ask-shard.js';
import { mergeAlerts } from '../merges/merge-alerts.js';
import { mergePause, mergeResumed, mergeWoken } from '../merges/merge-changes.js';
import { mergeContracts, mergeParses } from '../merges/merge-contracts.js';
import { listTagged, mergeFailures, mergeFigures, mergeQueues } from '../merges/merge-figures.js';
import { mergeFlowPreview, mergeKey, mergeRule } from '../merges/merge-flow.js';
import { by, tagged } from '../merges/sums.js';
import { byAction, previewBulk, startBulk } from './bulk.js';
import { byId, followById } from './by-id.js';
import { bySchedule, saveInShard } from './by-schedule.js';
import { anywhere, enqueue, type PlacedJob, sendToShard } from './enqueue.js';
import { followByFilter } from './follow-by-filter.js';
import { createInShard, revokeEverywhere } from './keys.js';
import { countByFilter, everywhere, listed, listedAbout, listedJobs, merged } from './merged.js';
import type { Plan } from './plan.js';
import { metricsOf, readiness } from './server.js';

/** Routes that no shard is asked for. */
export const OF_NO_SHARD = [
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

const isLater = (field: string) => (one: Body, other: Body) => (one[field] as string) > (other[field] as string);
const isFirst =
  (...fields: readonly string[]) =>
  (one: Body, other: Body) =>
    by(...fields)(one, other) < 0;

/** How each route answers over several shards, by its `operationId`. */
export function allPlans(parts: ApiParts): Readonly<Record<string, Plan>> {
  const { signals = [] } = parts;
  const byIds = ['getJob', 'updateJob', 'retryJob', 'cancelJob', 'acknowledgeJob', 'freeKey', 'explainJob'];
  const ofBatches = ['listEffects', 'listSteps', 'getBatch', 'addToBatch', 'cancelBatch'];
  const ofSchedules = ['getSchedule', 'deleteSchedule', 'pauseSchedule', 'resumeSchedule', 'triggerSchedule'];
  return {
    ...Object.fromEntries([...byIds, ...ofBatches].map((name) => [name, byId(name)])),
    ...Object.fromEntries([...ofSchedules, 'previewSavedSchedule'].map((name) => [name, bySchedule(name)])),
    enqueueJob: enqueue('enqueueJob', parts, (body) => [['', body]]),
    enqueueJobs: enqueue('enqueueJobs', parts, jobsOf),
    beginBatch: enqueue('beginBatch', parts, (body) => [...jobsOf(body), ...callbacksOf(body)]),
    sendSignal: sendToShard('sendSignal', signals),
    listJobs: listedJobs,
    countJobs: countByFilter('countJobs'),
    followJob: followById('followJob'),
    followJobs: followByFilter('followJobs', parts),
    listBatches: listed({
      operationId: 'listBatches',
      rows: 'batches',
      usualLimit: 50,
      isBefore: isLater('createdAt'),
    }),
    listBulkActions: listed({
      operationId: 'listBulkActions',
      rows: 'actions',
      usualLimit: 50,
      isBefore: isLater('createdAt'),
      cursorBehind: (row) => (row['id'] as string).replace(/^.*\./, ''),
    }),
    listAudit: listedAbout(
      { operationId: 'listAudit', rows: 'entries', usualLimit: 100, isBefore: isLater('at'), isTagged: true },
      auditedIds,
    ),
    listSlots: listedAbout(
      { operationId: 'listSlots', rows: 'slots', usualLimit: 100, isBefore: isLater('slotAt'), isTagged: true },
      () => ['job'],
    ),
    listSchedules: listed({
      operationId: 'listSchedules',
      rows: 'schedules',
      usualLimit: 100,
      isBefore: isFirst('key'),
      cursorBehind: (row) => row['key'] as string,
      isTagged: true,
    }),
    listFlowKeys: listed({
      operationId: 'listFlowKeys',
      rows: 'keys',
      usualLimit: 50,
      isBefore: isFirst('key'),
      cursorBehind: (row) => row['key'] as string,
      isTagged: true,
      mayBeUnknown: true,
    }),
    saveSchedule: saveInShard('saveSchedule'),
    previewSchedule: anywhere('previewSchedule'),
    listContracts: merged('listContracts', mergeContracts),
    checkPayloads: merged('checkPayloads', mergeParses, { limitMs: null }),
    listQueues: merged('listQueues', mergeQueues, {
      says: 'Counts are added up. `oldestWaitingSeconds` is that of the oldest job of all, and a percentile that of the slowest shard.',
    }),
    listFigures: merged('listFigures', mergeFigures, {
      says: 'As of queues; the most that was due or ran at one moment is the sum of what was the most in each shard.',
    }),
    listFailures: merged('listFailures', mergeFailures),
    listWorkers: merged('listWorkers', listTagged('workers', by('name', 'shard')), { tagged: 'workers' }),
    listPauses: merged('listPauses', listTagged('pauses', by('kind', 'name', 'shard')), { tagged: 'pauses' }),
    listUnserved: merged(
      'listUnserved',
      listTagged('unserved', (one, other) => other['oldestWaitingSeconds'] - one['oldestWaitingSeconds'], 20),
      { tagged: 'unserved' },
    ),
    listAlerts: merged('listAlerts', mergeAlerts, { tagged: 'alerts' }),
    silenceAlert: everywhere('silenceAlert', mergeAlerts),
    acknowledgeAlert: everywhere('acknowledgeAlert', mergeAlerts),
    testAlerts: everywhere('testAlerts', mergeAlerts),
    listFlowRules: merged('listFlowRules', listTagged('rules', by('name', 'shard')), {
      tagged: 'rules',
      says: 'A rule holds in each shard by itself: what it lets in altogether is the sum.',
    }),
    showFlowRule: merged('showFlowRule', mergeRule),
    previewFlowRule: merged('previewFlowRule', mergeFlowPreview),
    changeFlowRule: everywhere('changeFlowRule', mergeRule),
    closeFlowKey: everywhere('closeFlowKey', mergeKey),
    openFlowKey: everywhere('openFlowKey', mergeKey),
    pauseQueue: everywhere('pauseQueue', mergePause),
    pauseType: everywhere('pauseType', mergePause),
    resumeQueue: everywhere('resumeQueue', mergeResumed),
    resumeType: everywhere('resumeType', mergeResumed),
    wake: everywhere('wake', mergeWoken),
    reportDoctor: merged(
      'reportDoctor',
      (answers) => ({
        findings: tagged(answers, 'findings').sort(by('severity')),
        replication: tagged(answers, 'replication'),
        checks: [...new Set(answers.flatMap(({ body }) => body['checks'] as string[]))],
      }),
      { tagged: 'findings', limitMs: null },
    ),
    previewBulkAction: previewBulk(),
    startBulkAction: startBulk('startBulkAction'),
    getBulkAction: byAction('getBulkAction', 'GET'),
    abortBulkAction: byAction('abortBulkAction', 'POST'),
    undoBulkAction: byAction('undoBulkAction', 'POST', 'undo'),
    listKeys: merged('listKeys', listTagged('keys', by('createdAt', 'id')), { tagged: 'keys' }),
    createKey: createInShard('createKey'),
    revokeKey: revokeEverywhere('revokeKey'),
    reportReadiness: readiness('reportReadiness', parts),
    reportMetrics: metricsOf(parts),
  };
}

/** The parameters of the audit that are ids: `target` is one of some kinds. */
function auditedIds(c: ApiContext): readonly string[] {
  return ['job', ...(KINDS_WITH_IDS.includes(c.req.query('kind') ?? '') ? ['target'] : [])];
}

function jobsOf(body: unknown): readonly PlacedJob[] {
  const { jobs } = (body ?? {}) as { readonly jobs?: unknown };
  return Array.isArray(jobs) ? jobs.map((job: unknown, index): PlacedJob => [`/jobs/${index}`, job]) : [];
}

const callbacksOf = (body: unknown): readonly PlacedJob[] =>
  BATCH_MOMENTS.map((moment): PlacedJob => [`/${moment}`, (body as Body | null)?.[moment]]).filter(
    ([, job]) => job !== undefined,
  );
