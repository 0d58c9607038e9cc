import { parseDatabaseUrl } from '@duework/database';
import {
  acknowledgeAlert,
  changeSlots,
  checkEffects,
  countJobs,
  explainJob,
  pauseQueue,
  pauseType,
  previewReplay,
  previewSlots,
  readAudit,
  readFailures,
  readQueues,
  readSteps,
  readWorkers,
  readWorkflows,
  createKey,
  listAlerts,
  listEvents,
  listKeys,
  listPauses,
  readUnserved,
  replayEvents,
  resumeQueue,
  resumeType,
  revokeKey,
  searchJobs,
  silenceAlert,
  testAlerts,
  unsubscribe,
} from '@duework/operate';
import {
  type Act,
  cancelBatch,
  enqueue,
  findContract,
  getBatch,
  getJob,
  listBatches,
  openQueue,
  updateJob,
} from '@duework/queue-core';
import {
  deleteSchedule,
  findSchedules,
  findDueTimes,
  getSchedule,
  pauseSchedule,
  previewSavedSchedule,
  resumeSchedule,
  triggerSchedule,
} from '@duework/schedules';
import { hideSensitive, hideSensitiveSteps } from '../jobs/hide-sensitive.js';
import type { CommandParts } from '../program-parts.js';
import { bulkOnDatabase } from './bulk-on-database.js';
import { flowOnDatabase } from './flow-on-database.js';
import type { Operations } from './operations.js';

export type DatabaseParts = Pick<CommandParts, 'db' | 'anyDb' | 'databaseUrl' | 'isReplicated' | 'jobs' | 'actor'>;

/** The operations on the database of DATABASE_URL, which has to be migrated; only `doctor` takes any. */
export function onDatabase({ db, anyDb, databaseUrl, isReplicated, jobs, actor }: DatabaseParts): Operations {
  const act = (reason?: string): Act => ({ by: actor, via: 'command', reason });
  const url = databaseUrl();
  return {
    place: url === undefined ? 'the database' : parseDatabaseUrl(url).label,
    async enqueue(type, payload, options) {
      const contract = findContract((await jobs()).catalog, type);
      return enqueue(await db(), contract, payload as never, options);
    },
    async getJob(id) {
      const database = await db();
      const { job, attempts } = await getJob(database, id);
      return { job: (await hideSensitive(database, [job]))[0]!, attempts };
    },
    explainJob: async (id) => explainJob(await db(), id),
    async readSteps({ id, type }) {
      const database = await db();
      return hideSensitiveSteps(database, type, await readSteps(database, id));
    },
    async findJobs(search) {
      const database = await db();
      const page = await searchJobs(database, search);
      return { ...page, jobs: await hideSensitive(database, page.jobs) };
    },
    countJobs: async (filter) => countJobs(await db(), filter),
    actOnJob: async ({ verb }, id, { reason, ...how }) =>
      openQueue(await db())[verb](id, { ...how, ...act(reason) }) as Promise<never>,
    async updateJob(id, { payload, ...change }, reason) {
      const database = await db();
      if (payload === undefined) return updateJob(database, id, change, act(reason));
      const contract = findContract((await jobs()).catalog, (await getJob(database, id)).job.type);
      return updateJob(database, id, { ...change, contract, payload: payload as never }, act(reason));
    },
    batches: {
      list: async (page) => listBatches(await db(), page),
      get: async (id) => getBatch(await db(), id),
      cancel: async (id, reason) => cancelBatch(await db(), id, act(reason)),
    },
    bulk: bulkOnDatabase({ db, jobs, act }),

    readQueues: async () => readQueues(await db()),
    readWorkers: async () => readWorkers(await db()),
    changeSlots: async (queue, slots, { isPreview, reason }) =>
      isPreview ? previewSlots(await db(), queue, slots) : changeSlots(await db(), queue, slots, act(reason)),
    readFailures: async (range, type) => readFailures(await db(), { range, types: type === undefined ? null : [type] }),
    checkEffects: async (asked) => checkEffects(await db(), asked),
    readWorkflows: async (type) => readWorkflows(await db(), { types: type === undefined ? null : [type] }),
    readUnserved: async () => readUnserved(await db()),
    listPauses: async () => listPauses(await db()),
    async pause({ kind, name }, { until, reason }) {
      const options = { ...act(reason), until };
      if (kind === 'queue') await pauseQueue(await db(), name, options);
      else if (kind === 'type') await pauseType(await db(), name, options);
      else await pauseSchedule(await db(), name, options);
    },
    async resume({ kind, name }, reason) {
      const database = await db();
      if (kind === 'queue') return { wasPaused: (await resumeQueue(database, name, act(reason))) !== null };
      if (kind === 'type') return { wasPaused: (await resumeType(database, name, act(reason))) !== null };
      return { wasPaused: true, meanwhile: (await resumeSchedule(database, name, act(reason))).meanwhile };
    },

    alerts: {
      list: async () => listAlerts(await db()),
      silence: async (key, duration, reason) => silenceAlert(await db(), key, duration, act(reason)),
      acknowledge: async (key, reason) => acknowledgeAlert(await db(), key, act(reason)),
      test: async (severity, reason) => testAlerts(await db(), severity, act(reason)),
    },
    events: {
      list: async () => listEvents(await db()),
      preview: async (request) => previewReplay(await db(), request),
      replay: async (request, reason) => replayEvents(await db(), request, act(reason)),
      unsubscribe: async (event, type, reason) => unsubscribe(await db(), event, type, act(reason)),
    },
    flow: flowOnDatabase({ db, act }),
    findSchedules: async (filter) => findSchedules(await db(), filter),
    getSchedule: async (key) => getSchedule(await db(), key),
    findDueTimes: async (filter) => findDueTimes(await db(), filter),
    previewSchedule: async (key, count) => previewSavedSchedule(await db(), key, count),
    async triggerSchedule(key, { dueTime, reason }) {
      const job = await triggerSchedule(await db(), (await jobs()).catalog, key, { dueTime, ...act(reason) });
      return { ids: [job.id], deduplicated: job.isDeduplicated };
    },
    deleteSchedule: async (key, reason) => deleteSchedule(await db(), key, act(reason)),

    keys: {
      create: async (key, reason) => createKey(await db(), { ...key, act: act(reason) }),
      list: async () => listKeys(await db()),
      revoke: async (idOrName, reason) => revokeKey(await db(), idOrName, { act: act(reason) }),
    },
    readAudit: async (filter) => readAudit(await db(), filter),
    doctor: async () => {
      const { runDoctor } = await import('../operate/run-doctor.js');
      return runDoctor(await anyDb(), { isReplicated: isReplicated() });
    },
  };
}
