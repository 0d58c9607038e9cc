import { createClient, reviveMoments, type ClientOptions } from '@duework/client';
import { parseDuration, type JobContract } from '@duework/contracts';
import type { DoctorReport } from '@duework/operate';
import type { Schedule } from '@duework/schedules';
import type { Operations } from './operations.js';

const ofSchedule = (key: string, verb = ''): string => `/v1/schedules/${encodeURIComponent(key)}${verb}`;

/** The operations on an API, for those who see no database. The server knows the contracts. */
export function overHttp(options: ClientOptions): Operations {
  const client = createClient(options);
  return {
    enqueue: (type, payload, { delay, ...given }) =>
      client.enqueue({ type } as JobContract, payload as never, {
        ...given,
        ...(delay === undefined ? {} : { delaySeconds: parseDuration(delay) / 1_000 }),
      }),
    getJob: (id) => client.getJob(id),
    findJobs: (search) => client.findJobs(search),
    retryJob: async (id, { effectsHappened }) =>
      void (await client.retry(id, effectsHappened ? { effectsHappened } : {})),
    cancelJob: (id, reason) => client.cancel(id, reason === undefined ? {} : { reason }),
    async findSchedules({ type, limit }) {
      const query = new URLSearchParams({ limit: String(limit), ...(type === undefined ? {} : { type }) });
      const page = await client.request<{ schedules: Schedule[]; nextCursor: string | null }>(
        'GET',
        `/v1/schedules?${query}`,
      );
      return { ...page, schedules: page.schedules.map((schedule) => reviveMoments<Schedule>(schedule)) };
    },
    pauseSchedule: async (key) => void (await client.request('POST', ofSchedule(key, '/pause'))),
    async resumeSchedule(key) {
      return reviveMoments<Schedule>(await client.request<Schedule>('POST', ofSchedule(key, '/resume'))).nextSlotAt;
    },
    deleteSchedule: async (key) => void (await client.request('DELETE', ofSchedule(key))),
    doctor: () => client.request<DoctorReport>('GET', '/v1/doctor', { timeoutMs: 60_000 }),
  };
}
