import type {
  AuditEntry,
  AuditFilter,
  AuditPage,
  DoctorReport,
  EffectCheck,
  EffectCheckOptions,
  Explanation,
  FailureRange,
  Failures,
  JobCount,
  JobSearchPage,
  LiveWorker,
  QueueState,
  SlotsChange,
  StepPage,
  UnservedType,
  Workflows,
} from '@duework/operate';
import type {
  Batch,
  BatchPage,
  CancelledBatch,
  EnqueuedJob,
  EnqueueOptions,
  Job,
  JobAttempt,
  JobChange,
  JobVerb,
  Pause,
} from '@duework/queue-core';
import type { ResumedSchedule, Schedule, SchedulePreview, DueTime } from '@duework/schedules';
import type { AskedVerb, Done, VerbOptions } from '../jobs/job-verbs.js';
import type { AlertOperations } from './alert-operations.js';
import type { BulkOperations } from './bulk-operations.js';
import type { EventOperations } from './event-operations.js';
import type { FlowOperations } from './flow-operations.js';
import type { KeyOperations } from './key-operations.js';
import type { OfShard } from './of-shard.js';

/** What can be paused. */
export interface PauseTarget {
  readonly kind: 'queue' | 'type' | 'schedule';
  /** The key, of a schedule. */
  readonly name: string;
}

export interface JobSearch {
  readonly filter?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface DueTimeSearch {
  readonly scheduleKey?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly outcome?: DueTime['outcome'] | undefined;
  readonly limit: number;
}

/** What the commands ask of a queue, whether they see its database or an API before it. */
export interface Operations {
  /** Where it asks, for people: the label of a database, or the address of an API. */
  readonly place: string;
  /** The type is one of the catalog, or of the server. */
  enqueue(
    type: string,
    payload: unknown,
    options: EnqueueOptions,
  ): Promise<Omit<EnqueuedJob, 'payloadDiffers'> & Partial<Pick<EnqueuedJob, 'payloadDiffers'>>>;
  getJob(id: string): Promise<{ job: Job; attempts: JobAttempt[] }>;
  explainJob(id: string): Promise<Explanation>;
  /** The first 100 steps. */
  readSteps(job: Job): Promise<StepPage>;
  findJobs(search: JobSearch): Promise<JobSearchPage>;
  countJobs(filter: string): Promise<JobCount>;
  /** What an operator does to one job. */
  actOnJob<V extends JobVerb>(command: AskedVerb<V>, id: string, given: VerbOptions): Promise<Done<V>>;
  /** A payload is checked by the contract of the job's type, of the catalog or of the server. */
  updateJob(
    id: string,
    change: Omit<JobChange, 'contract' | 'payload'> & { readonly payload?: unknown },
    reason: string | undefined,
  ): Promise<void>;
  readonly bulk: BulkOperations;
  readonly events: EventOperations;
  readonly batches: {
    list(page: { readonly limit: number; readonly cursor?: string | undefined }): Promise<BatchPage>;
    get(id: string): Promise<Batch>;
    cancel(id: string, reason: string | undefined): Promise<CancelledBatch>;
  };

  readQueues(): Promise<readonly OfShard<QueueState>[]>;
  readWorkers(): Promise<readonly OfShard<LiveWorker>[]>;
  /** What it does to the workers of a queue that live, or would do; null takes a change back. */
  changeSlots(
    queue: string,
    slots: number | null,
    how: { readonly isPreview: boolean; readonly reason?: string | undefined },
  ): Promise<SlotsChange>;
  readWorkflows(type: string | undefined): Promise<Workflows>;
  readFailures(range: FailureRange, type: string | undefined): Promise<Failures>;
  checkEffects(asked: EffectCheckOptions): Promise<EffectCheck>;
  readUnserved(): Promise<readonly OfShard<UnservedType>[]>;
  listPauses(): Promise<readonly OfShard<Pause>[]>;
  pause(
    target: PauseTarget,
    options: { readonly until: Date | undefined; readonly reason: string | undefined },
  ): Promise<void>;
  /** `false`: it was not paused. Of a schedule also what becomes of the due times that came meanwhile. */
  resume(
    target: PauseTarget,
    reason: string | undefined,
  ): Promise<{ readonly wasPaused: boolean; readonly meanwhile?: ResumedSchedule['meanwhile'] }>;

  readonly alerts: AlertOperations;
  readonly flow: FlowOperations;
  findSchedules(filter: { type?: string | undefined; limit: number }): Promise<{
    readonly schedules: readonly OfShard<Schedule>[];
    readonly nextCursor: string | null;
  }>;
  /** Of several shards that have it, the schedule of the first. */
  getSchedule(key: string): Promise<Schedule>;
  /** Also of a schedule that is deleted by now. The newest first; `nextCursor` of several shards is none that could be given. */
  findDueTimes(
    filter: DueTimeSearch,
  ): Promise<{ readonly dueTimes: readonly OfShard<DueTime>[]; readonly nextCursor: string | null }>;
  previewSchedule(key: string, count: number): Promise<SchedulePreview & { readonly policy: string }>;
  /**
   * The job that it has become, in each shard that has the schedule; `deduplicated`: the key of the due time had one.
   */
  triggerSchedule(
    key: string,
    options: { readonly dueTime: Date | undefined; readonly reason: string | undefined },
  ): Promise<{ readonly ids: readonly string[]; readonly deduplicated: boolean }>;
  deleteSchedule(key: string, reason: string | undefined): Promise<void>;

  readonly keys: KeyOperations;
  readAudit(filter: AuditFilter): Promise<AuditPage & { readonly entries: readonly OfShard<AuditEntry>[] }>;
  doctor(): Promise<DoctorReport>;
}
