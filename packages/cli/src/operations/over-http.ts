import { createClient, type ClientOptions, type EnqueueRequest } from '@duework/client';
import { parseDuration, type Duration, type JobContract } from '@duework/contracts';
import type {
  AlertList,
  AuditPage,
  DoctorReport,
  EffectCheck,
  EventState,
  Explanation,
  Failures,
  LiveWorker,
  QueueState,
  Replay,
  ReplayPreview,
  SlotsChange,
  StepPage,
  UnservedType,
  Workflows,
} from '@duework/operate';
import type { Batch, BatchPage, CancelledBatch, EnqueueOptions, Pause } from '@duework/queue-core';
import type { ResumedSchedule, Schedule, SchedulePreview, DueTime } from '@duework/schedules';
import type { JobAnswer } from '../jobs/job-verbs.js';
import type { Ask, Asked } from './ask.js';
import { bulkOverHttp } from './bulk-over-http.js';
import { flowOverHttp } from './flow-over-http.js';
import { keysOverHttp } from './keys-over-http.js';
import type { Operations, PauseTarget } from './operations.js';
import { reviveDeep } from './revive-deep.js';

const ofSchedule = (key: string, verb = ''): string => `/v1/schedules/${encodeURIComponent(key)}${verb}`;
const ofEvent = (event: string): string => `/v1/published-events/${encodeURIComponent(event)}`;
const ofTarget = ({ kind, name }: PauseTarget): string => `/v1/${kind}s/${encodeURIComponent(name)}`;

/**
 * The operations on an API, for those who see no database. The server knows the contracts. `tellMissing` is shown each answer,
 * which says whose part is missing in it where the API is one over several shards.
 */
export function overHttp(options: ClientOptions, tellMissing: (answer: unknown) => void = () => {}): Operations {
  const client = createClient(options);
  const send = async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    { query = {}, body, timeoutMs, isRepeatable }: Asked = {},
  ): Promise<unknown> => {
    const requestKey = isRepeatable ? crypto.randomUUID() : undefined;
    const answer = await client.request(method, path + toQuery(query), { body, timeoutMs, requestKey });
    tellMissing(answer);
    return reviveDeep(answer);
  };
  const ask = send as Ask;
  return {
    place: options.url,
    enqueue: (type, payload, options) => client.enqueue({ type } as JobContract, payload as never, toRequest(options)),
    getJob: (id) => client.getJob(id),
    explainJob: (id) => ask<Explanation>('GET', `/v1/jobs/${encodeURIComponent(id)}/explain`),
    readSteps: ({ id }) => ask<StepPage>('GET', `/v1/jobs/${encodeURIComponent(id)}/steps`),
    async findJobs(search) {
      const page = await client.findJobs(search);
      tellMissing(page);
      return page;
    },
    async countJobs(filter) {
      const { count, atLeast } = await ask<{ count: number; atLeast: boolean }>('GET', '/v1/jobs/count', {
        query: { filter },
      });
      return { count, isAtLeast: atLeast };
    },
    actOnJob({ name, read }, id, { effectsHappened, ...given }) {
      const body = { ...given, ...(effectsHappened ? { effectsHappened } : {}) };
      return ask<JobAnswer>('POST', `/v1/jobs/${encodeURIComponent(id)}/${name}`, { body }).then(read);
    },
    updateJob: async (id, { payload, runAt, delay, priority, maxAttempts }, reason) => {
      const delaySeconds = delay === undefined ? undefined : parseDuration(delay) / 1_000;
      await client.update(id, { payload, runAt, delaySeconds, priority, maxAttempts, reason });
    },
    batches: {
      list: (page) => ask<BatchPage>('GET', '/v1/batches', { query: page }),
      get: (id) => ask<Batch>('GET', `/v1/batches/${encodeURIComponent(id)}`),
      cancel: (id, reason) =>
        ask<CancelledBatch>('POST', `/v1/batches/${encodeURIComponent(id)}/cancel`, { body: { reason } }),
    },
    bulk: bulkOverHttp(ask),

    readQueues: async () => (await ask<{ queues: QueueState[] }>('GET', '/v1/queues')).queues,
    readWorkers: async () => (await ask<{ workers: LiveWorker[] }>('GET', '/v1/workers')).workers,
    changeSlots(queue, slots, { isPreview, reason }) {
      const path = `${ofTarget({ kind: 'queue', name: queue })}/slots`;
      const body = { slots, reason };
      return isPreview
        ? ask<SlotsChange>('POST', `${path}/preview`, { body })
        : ask<SlotsChange>('PATCH', path, { body });
    },
    readWorkflows: (type) => ask<Workflows>('GET', '/v1/workflows', { query: { type } }),
    readFailures: (range, type) => ask<Failures>('GET', '/v1/failures', { query: { range, type } }),
    checkEffects: (asked) => ask<EffectCheck>('GET', '/v1/effects/check', { query: { ...asked }, timeoutMs: 60_000 }),
    readUnserved: async () => (await ask<{ unserved: UnservedType[] }>('GET', '/v1/unserved')).unserved,
    listPauses: async () => (await ask<{ pauses: Pause[] }>('GET', '/v1/pauses')).pauses,
    pause: async (target, { until, reason }) => {
      await ask('POST', `${ofTarget(target)}/pause`, { body: { until, reason } });
    },
    async resume(target, reason) {
      const answer = await ask<{ pause?: Pause | null; meanwhile: ResumedSchedule['meanwhile'] }>(
        'POST',
        `${ofTarget(target)}/resume`,
        { body: { reason } },
      );
      if (target.kind !== 'schedule') return { wasPaused: answer.pause !== null };
      // a list of moments has no name that says so
      const skips = answer.meanwhile.skips.map((moment) => new Date(moment));
      return { wasPaused: true, meanwhile: { ...answer.meanwhile, skips } };
    },

    alerts: {
      list: () => ask<AlertList>('GET', '/v1/alerts'),
      silence: async (key, duration, reason) =>
        void (await ask('POST', '/v1/alerts/silence', { body: { key, for: duration, reason } })),
      acknowledge: async (key, reason) => void (await ask('POST', '/v1/alerts/acknowledge', { body: { key, reason } })),
      test: async (severity, reason) => void (await ask('POST', '/v1/alerts/test', { body: { severity, reason } })),
    },
    events: {
      list: async () => (await ask<{ events: EventState[] }>('GET', '/v1/published-events')).events,
      preview: ({ event, ...body }) => ask<ReplayPreview>('POST', `${ofEvent(event)}/replay/preview`, { body }),
      replay: ({ event, ...body }, reason) =>
        ask<Replay>('POST', `${ofEvent(event)}/replay`, { body: { ...body, reason }, timeoutMs: 60_000 }),
      unsubscribe: async (event, type, reason) =>
        void (await ask('POST', `${ofEvent(event)}/unsubscribe`, { body: { type, reason } })),
    },
    flow: flowOverHttp(client.flow),
    findSchedules: (filter) =>
      ask<{ schedules: Schedule[]; nextCursor: string | null }>('GET', '/v1/schedules', { query: filter }),
    getSchedule: (key) => ask<Schedule>('GET', ofSchedule(key)),
    findDueTimes: ({ scheduleKey, ...filter }) =>
      ask<{ dueTimes: DueTime[]; nextCursor: string | null }>('GET', '/v1/due-times', {
        query: { schedule: scheduleKey, ...filter },
      }),
    previewSchedule: (key, count) =>
      ask<SchedulePreview & { policy: string }>('GET', ofSchedule(key, '/preview'), { query: { count } }),
    async triggerSchedule(key, body) {
      const asked = { body, isRepeatable: true };
      const { id, deduplicated } = await ask<{ id: string; deduplicated: boolean }>(
        'POST',
        ofSchedule(key, '/trigger'),
        asked,
      );
      return { ids: [id], deduplicated };
    },
    deleteSchedule: async (key, reason) => void (await ask('DELETE', ofSchedule(key), { query: { reason } })),

    keys: keysOverHttp(ask),
    readAudit: (filter) => ask<AuditPage>('GET', '/v1/audit', { query: { ...filter } }),
    doctor: () => ask<DoctorReport>('GET', '/v1/doctor', { timeoutMs: 60_000 }),
  };
}

type DurationName = {
  [N in keyof EnqueueOptions]-?: [Extract<EnqueueOptions[N], Duration>] extends [never] ? never : N;
}[keyof EnqueueOptions];
const DURATIONS: Readonly<Record<DurationName, true>> = { delay: true, expiresAfter: true };

/** What is said of a job as an API is told it, which counts in seconds. */
const toRequest = (options: EnqueueOptions): EnqueueRequest =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]: [string, unknown]) =>
      name in DURATIONS ? [`${name}Seconds`, parseDuration(value as Duration) / 1_000] : [name, value],
    ),
  );

function toQuery(query: NonNullable<Asked['query']>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) given.set(name, value instanceof Date ? value.toISOString() : String(value));
  return given.size === 0 ? '' : `?${given}`;
}
