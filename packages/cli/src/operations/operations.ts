import type { DoctorReport, JobSearchOptions, JobSearchPage } from '@duework/operate';
import type { EnqueuedJob, EnqueueOptions, Job, JobAttempt } from '@duework/queue-core';
import type { Schedule } from '@duework/schedules';

/** What the commands ask of a queue, whether they see its database or an API before it. */
export interface Operations {
  /** The type is one of the catalog, or of the server. */
  enqueue(type: string, payload: unknown, options: EnqueueOptions): Promise<EnqueuedJob>;
  getJob(id: string): Promise<{ job: Job; attempts: JobAttempt[] }>;
  findJobs(search: JobSearchOptions & { filter?: string | undefined }): Promise<JobSearchPage>;
  retryJob(id: string, options: { effectsHappened: boolean }): Promise<void>;
  cancelJob(id: string, reason: string | undefined): Promise<'cancelled' | 'requested'>;
  findSchedules(filter: { type?: string | undefined; limit: number }): Promise<{
    readonly schedules: readonly Schedule[];
    readonly nextCursor: string | null;
  }>;
  pauseSchedule(key: string): Promise<void>;
  /** The next slot; null: there is none. */
  resumeSchedule(key: string): Promise<Date | null>;
  deleteSchedule(key: string): Promise<void>;
  doctor(): Promise<DoctorReport>;
}
