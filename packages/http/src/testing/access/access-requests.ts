import { BATCH_MOMENTS } from '@duework/queue-core';
import { MARK, type MarkedQueue, type MarkedType, newName, payloadOf, SENSITIVE_MARK } from './marked-queue.js';

/** How an operation is asked. */
export interface AccessRequest {
  /** What is special about it, for people. */
  readonly note?: string;
  /** Fills the names in its path; `type`: the type of the job that it is about, where it is about one. */
  readonly params?: (queue: MarkedQueue, type: MarkedType) => Promise<Readonly<Record<string, string>>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: (type: MarkedType) => unknown;
  /** It is about a job of a type, or lists jobs; others are about all of them. */
  readonly isOfType?: boolean;
}

const job = (end?: 'dead' | 'cancelled'): AccessRequest => ({
  params: async (queue, type) => ({ id: await queue.job(type, end) }),
  isOfType: true,
});
const batch: AccessRequest = { params: async (queue) => ({ id: await queue.batch('pay') }) };
const schedule: AccessRequest = { params: async (queue) => ({ key: await queue.schedule() }) };
const action = (path?: readonly string[]): AccessRequest => ({
  params: async (queue) => ({ id: await queue.bulkAction(path) }),
});
const rule = (name = 'smtp'): AccessRequest => ({ params: async () => ({ kind: 'limit', name }) });
const newJob = (type: MarkedType) => ({ type, payload: type === 'pay' ? payloadOf() : { account: MARK } });
const empty = { body: () => ({}) };
const filters: readonly AccessRequest[] = [
  { isOfType: true },
  { note: 'that asks for a value of payloads', query: { filter: `payload.account:${MARK}` } },
  { note: 'that asks for a sensitive value', query: { filter: `payload.iban:${SENSITIVE_MARK}` } },
  { note: 'that asks for words of an error', query: { filter: 'error:account' } },
  { note: 'that asks for a tenant', query: { filter: `tenant:${MARK}` } },
  { note: 'that asks for the key of a gate', query: { filter: `gate:tenant/default/${MARK}` } },
];
const bulk: readonly AccessRequest[] = [
  { body: () => ({ verb: 'cancel', filter: 'type:mail' }) },
  { note: 'that edits payloads', body: () => edit('account') },
  { note: 'that edits a sensitive field', body: () => edit('iban') },
  {
    note: 'whose filter asks for a value',
    body: () => ({ verb: 'cancel', filter: `type:mail payload.account:${MARK}` }),
  },
];
const edit = (field: string) => ({ verb: 'edit_payload', filter: 'type:pay', path: [field], value: 'x' });

/** How each operation that needs a scope is asked, in at least one way. One that is not named here is not tried, and fails. */
export const ACCESS_REQUESTS: Readonly<Record<string, readonly AccessRequest[]>> = {
  showPrincipal: [{}],
  listConsoleLinks: [{}],
  enqueueJob: [{ body: newJob, isOfType: true }],
  enqueueJobs: [{ body: (type) => ({ jobs: [newJob(type)] }), isOfType: true }],
  listJobs: filters,
  countJobs: filters,
  listEndedJobs: [{ isOfType: true }],
  followJobs: filters,
  getJob: [job()],
  followJob: [job()],
  listSignals: [{}],
  listApprovals: [job()],
  decide: [{ ...job(), body: () => ({ name: 'ok', choice: 'approve' }) }],
  changeWait: [{ ...job(), body: () => ({ name: 'wait', verb: 'skip' }) }],
  sendSignal: [{ params: async () => ({ name: 'paid' }), body: () => ({ account: newName('account') }) }],
  listEvents: [{}],
  publishEvent: [{ params: async () => ({ event: 'told' }), body: () => ({ payload: { n: 1 } }) }],
  replayEvents: [
    { params: async () => ({ event: 'told' }), body: () => ({ to: 'listener', from: '2026-01-01T00:00:00Z' }) },
  ],
  previewReplay: [
    { params: async () => ({ event: 'told' }), body: () => ({ to: 'listener', from: '2026-01-01T00:00:00Z' }) },
  ],
  unsubscribe: [{ params: async (queue) => ({ event: await queue.event() }), body: () => ({ type: 'ended' }) }],
  beginBatch: [
    { body: (type) => ({ jobs: [newJob(type)] }), isOfType: true },
    {
      note: 'with callbacks',
      body: (type) => ({ jobs: [newJob(type)], ...Object.fromEntries(BATCH_MOMENTS.map((at) => [at, newJob(type)])) }),
      isOfType: true,
    },
  ],
  listBatches: [{}],
  getBatch: [batch],
  addToBatch: [{ ...batch, body: () => ({ jobs: [newJob('pay')] }) }],
  cancelBatch: [{ ...batch, ...empty }],
  updateJob: [
    { ...job(), body: () => ({ priority: 3 }) },
    {
      ...job(),
      note: 'its payload',
      body: () => ({ payload: payloadOf() }),
    },
  ],
  retryJob: [{ ...job(), ...empty }],
  cancelJob: [{ ...job(), ...empty }],
  acknowledgeJob: [{ ...job('dead'), ...empty }],
  freeKey: [{ ...job('cancelled'), ...empty }],
  listContracts: [{ isOfType: true }],
  checkPayloads: [{ params: async (_, type) => ({ type }), isOfType: true }],
  listSchedules: [{}],
  saveSchedule: [{ ...schedule, body: () => ({ type: 'pay', payload: payloadOf(), every: '1h' }) }],
  getSchedule: [schedule],
  deleteSchedule: [schedule],
  pauseSchedule: [{ ...schedule, ...empty }],
  resumeSchedule: [{ ...schedule, ...empty }],
  triggerSchedule: [{ ...schedule, ...empty }],
  previewSavedSchedule: [schedule],
  previewSchedule: [{ body: () => ({ every: '1h' }) }],
  listDueTimes: [{}],
  wake: [{ body: () => ({ queue: 'default' }) }],
  reportDoctor: [{}],
  explainJob: [job()],
  listEffects: [job()],
  listSteps: [job()],
  listQueues: [{}],
  pauseQueue: [{ params: async () => ({ queue: newName('queue').replace('-', '_') }), ...empty }],
  resumeQueue: [{ params: async () => ({ queue: newName('queue').replace('-', '_') }), ...empty }],
  changeSlots: [{ params: async () => ({ queue: newName('queue').replace('-', '_') }), body: () => ({ slots: 7 }) }],
  previewSlots: [{ params: async () => ({ queue: newName('queue').replace('-', '_') }), body: () => ({ slots: 7 }) }],
  pauseType: [{ params: async () => ({ type: newName('type').replace('-', '_') }), ...empty }],
  resumeType: [{ params: async () => ({ type: newName('type').replace('-', '_') }), ...empty }],
  listPauses: [{}],
  listAlerts: [{}],
  silenceAlert: [{ body: () => ({ key: 'horizon_pinned', for: '1m' }) }],
  acknowledgeAlert: [{ body: () => ({ key: 'test' }) }],
  testAlerts: [empty],
  listFlowRules: [{}],
  showFlowRule: [rule()],
  changeFlowRule: [{ ...rule(), body: () => ({ change: { max: 7 } }) }],
  previewFlowRule: [{ ...rule(), body: () => ({ change: { max: 7 } }) }],
  listFlowKeys: [rule(), { ...rule('pay.account'), note: 'of a rule by a value of payloads' }],
  closeFlowKey: [
    { ...rule(), body: () => ({ for: '1ms' }) },
    { ...rule('pay.account'), note: 'by a value of payloads', body: () => ({ for: '1ms', value: MARK }) },
  ],
  openFlowKey: [
    { ...rule(), ...empty },
    { ...rule('pay.account'), note: 'by a value of payloads', body: () => ({ value: MARK }) },
  ],
  checkEffects: [{ query: { type: 'pay' }, isOfType: true }],
  listFailures: [{ isOfType: true }],
  listWorkflows: [{ isOfType: true }],
  listFigures: [{}],
  listWorkers: [{}],
  listUnserved: [{}],
  previewBulkAction: bulk,
  startBulkAction: bulk,
  listBulkActions: [{}],
  getBulkAction: [action()],
  abortBulkAction: [{ ...action(), ...empty }],
  undoBulkAction: [
    { ...action(), ...empty },
    { ...action(['account']), ...empty, note: 'that has edited payloads' },
    { ...action(['iban']), ...empty, note: 'that has edited a sensitive field' },
  ],
  listAudit: [{}],
  listKeys: [{}],
  createKey: [{ body: () => ({ name: newName('made'), scopes: ['admin'] }) }],
  revokeKey: [{ params: async (queue) => ({ key: await queue.key() }), ...empty }],
  reportMetrics: [{}],
};
