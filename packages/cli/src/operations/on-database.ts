import { runDoctor, searchJobs } from '@duework/operate';
import { cancelJob, enqueue, findContract, getJob, retryJob } from '@duework/queue-core';
import { deleteSchedule, findSchedules, pauseSchedule, resumeSchedule } from '@duework/schedules';
import { hideSensitive } from '../jobs/hide-sensitive.js';
import type { CommandParts } from '../program-parts.js';
import type { Operations } from './operations.js';

/** The operations on the database of DATABASE_URL, which has to be migrated; only `doctor` takes any. */
export function onDatabase({
  db,
  anyDb,
  jobs,
  actor,
}: Pick<CommandParts, 'db' | 'anyDb' | 'jobs' | 'actor'>): Operations {
  return {
    async enqueue(type, payload, options) {
      const contract = findContract((await jobs()).catalog, type);
      return enqueue(await db(), contract, payload as never, options);
    },
    async getJob(id) {
      const database = await db();
      const { job, attempts } = await getJob(database, id);
      return { job: (await hideSensitive(database, [job]))[0]!, attempts };
    },
    async findJobs(search) {
      const database = await db();
      const page = await searchJobs(database, search);
      return { ...page, jobs: await hideSensitive(database, page.jobs) };
    },
    retryJob: async (id, options) => retryJob(await db(), id, options),
    cancelJob: async (id, reason) =>
      cancelJob(await db(), id, { by: actor, ...(reason === undefined ? {} : { reason }) }),
    findSchedules: async (filter) => findSchedules(await db(), filter),
    pauseSchedule: async (key) => void (await pauseSchedule(await db(), key)),
    resumeSchedule: async (key) => (await resumeSchedule(await db(), key)).nextSlotAt,
    deleteSchedule: async (key) => deleteSchedule(await db(), key),
    doctor: async () => runDoctor(await anyDb()),
  };
}
