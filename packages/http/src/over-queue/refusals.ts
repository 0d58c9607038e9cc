import type { JobQueue } from '@duework/queue-core';
import type { Capabilities } from '@duework/queue-core/ports';

/** An operation that a queue refuses, and why, in a sentence. */
export interface Refusal {
  readonly operation: string;
  readonly why: string;
}

const SCHEDULES = 'Schedules are kept in PostgreSQL, and this queue has none.';
const FLOW = 'Limits, rates, orders, tenants and breakers are kept in PostgreSQL, and this queue has none.';
const ALERTS = 'What is on is listed by PostgreSQL; the workers of this queue tell its alerts.';
const BULK = 'Bulk actions are steps over the jobs of a PostgreSQL, and this queue acts on one job at a time.';
const BATCHES = 'This queue has no batches.';
const KEYS = 'API keys are kept in PostgreSQL; who may call here, the program that serves this says.';

/** What needs a database, by operation. */
const OF_A_DATABASE: Readonly<Record<string, string>> = {
  listSchedules: SCHEDULES,
  saveSchedule: SCHEDULES,
  getSchedule: SCHEDULES,
  deleteSchedule: SCHEDULES,
  pauseSchedule: SCHEDULES,
  resumeSchedule: SCHEDULES,
  triggerSchedule: SCHEDULES,
  previewSavedSchedule: SCHEDULES,
  previewSchedule: SCHEDULES,
  listSlots: SCHEDULES,
  wake: 'There are no schedules to tick, and the workers of this queue wake by themselves.',
  listAlerts: ALERTS,
  silenceAlert: ALERTS,
  acknowledgeAlert: ALERTS,
  testAlerts: ALERTS,
  listFlowRules: FLOW,
  showFlowRule: FLOW,
  changeFlowRule: FLOW,
  previewFlowRule: FLOW,
  listFlowKeys: FLOW,
  closeFlowKey: FLOW,
  openFlowKey: FLOW,
  previewBulkAction: BULK,
  startBulkAction: BULK,
  listBulkActions: BULK,
  getBulkAction: BULK,
  abortBulkAction: BULK,
  undoBulkAction: BULK,
  listKeys: KEYS,
  createKey: KEYS,
  revokeKey: KEYS,
  listAudit: 'The audit is written with each change in PostgreSQL, and this queue keeps none.',
  listFailures: 'Failures are grouped in PostgreSQL; this queue lists its dead jobs with the filter status:dead.',
  listFigures: 'Figures of the past are kept in PostgreSQL; this queue says what waits and runs now.',
  listWorkers: 'Workers register in PostgreSQL, and this queue does not know who works for it.',
  listUnserved: 'Workers register in PostgreSQL, and this queue does not know who works for it.',
  checkPayloads: 'Waiting payloads are sampled in PostgreSQL, and this queue does not list them by type and version.',
  reportDoctor: 'The doctor looks at a PostgreSQL, and this queue has none.',
  explainJob: 'Why a job waits is read from PostgreSQL; its status and its times say what this queue knows.',
  listEffects: 'This queue keeps what was done once, and does not list it.',
  listSteps: 'This queue does not list the steps of a job.',
};

/** What needs a capability of the store. */
const OF_A_CAPABILITY: { readonly [C in keyof Capabilities]?: Readonly<Record<string, string>> } = {
  batches: {
    beginBatch: BATCHES,
    listBatches: BATCHES,
    getBatch: BATCHES,
    addToBatch: BATCHES,
    cancelBatch: BATCHES,
  },
  steps: { sendSignal: 'No job of this queue waits for a signal: it has no durable steps.' },
  lists: {
    listJobs: 'This queue does not list its jobs; a job is looked up by its id.',
    countJobs: 'This queue does not list its jobs, and does not count them either.',
    followJobs: 'This queue does not list its jobs; one job is followed by its id.',
  },
};

/** All that a queue without a database refuses, by the operations of the API's document. */
export function listRefusals({ capabilities }: Pick<JobQueue, 'capabilities'>): readonly Refusal[] {
  const lacking = Object.entries(OF_A_CAPABILITY).filter(([name]) => !capabilities[name as keyof Capabilities]);
  const all: Record<string, string> = Object.assign({}, OF_A_DATABASE, ...lacking.map(([, refused]) => refused));
  return Object.entries(all).map(([operation, why]) => ({ operation, why }));
}
