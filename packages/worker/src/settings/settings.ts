import type { ShardUrls } from '@duework/shards';
import type { AlertTarget, AlertWish } from '../alerts/alert-target.js';
import type { LogLevel } from '../logs/create-log.js';
import type { HoursOfDay } from './hours-of-day.js';

/** Where the probes and metrics are to be. */
export interface WorkerPort {
  readonly port: number;
  /** Somebody asked for it, or looks for it there in production: where it is taken, no other one will do. */
  readonly isFixed: boolean;
}

/** On which address the probes and metrics are. */
export interface WorkerHost {
  readonly address: string;
  /** false: it answers probes where nobody has asked for it, and shows everything else to its own machine alone. */
  readonly isAsked: boolean;
}

/** Whether commits must also be on another server. */
export type Replicated = 'required';

/** What a worker is told by its environment or its options; each has a variable: `workerName`, `WORKER_NAME`. */
export interface Settings {
  /** Of the shard that this worker serves, where there are several; undefined: there is a dedicated queue alone. */
  readonly databaseUrl: string | undefined;
  readonly databaseWaitMs: number;
  /** undefined: there is one database. */
  readonly shards: ShardUrls | undefined;
  /** The one of them that this worker serves; undefined: all. */
  readonly shard: string | undefined;
  /** Of the Redis with the dedicated queue; undefined: there is none. */
  readonly dueworkRedisUrl: string | undefined;
  readonly dueworkRedisPrefix: string | undefined;
  readonly replicated: Replicated | undefined;
  readonly host: WorkerHost;
  /** null: no probes and no metrics. */
  readonly workerPort: WorkerPort | null;
  readonly workerName: string;
  readonly programName: string;
  readonly concurrency: number;
  readonly buffer: number;
  readonly queues: readonly string[];
  readonly labels: readonly string[];
  readonly pollIntervalMs: number | undefined;
  readonly shutdownDeadlineMs: number;
  readonly retentionDays: number;
  readonly retentionDeadDays: number;
  readonly retentionAuditDays: number;
  readonly diskGb: number | undefined;
  readonly indexCare: HoursOfDay | undefined;
  readonly alertDeadPerHour: number;
  readonly alertWaitingSeconds: number;
  readonly alertUnservedSeconds: number;
  readonly alertHorizonSeconds: number;
  readonly alertFailedPercent: number;
  readonly alertWebhookUrl: readonly AlertTarget[] | undefined;
  readonly alertSmtpUrl: string | undefined;
  readonly alertMailTo: readonly string[] | undefined;
  readonly alertMailFrom: string | undefined;
  readonly alertMailWhen: AlertWish | undefined;
  readonly alertConsoleUrl: string | undefined;
  readonly dueworkKeys: string | undefined;
  readonly logLevel: LogLevel;
}

/** The options of the same meanings: a given one wins over its variable. */
export interface SettingOptions {
  /**
   * `postgres://USER:PASSWORD@HOST:5432/DATABASE`, or with several hosts: `h1:5432,h2:5432`. Must be given, here or as
   * DATABASE_URL, unless the worker is for a dedicated queue alone.
   */
  readonly databaseUrl?: string | undefined;
  /**
   * How long the worker waits at its start for a database that is not there yet, or is not migrated; 0: not at all.
   * Default: 60,000.
   */
  readonly databaseWaitMs?: number | undefined;
  /**
   * Several databases instead of one, by their names as shards; as SHARDS: `a=postgres://… b=postgres://…`. The worker
   * serves each with `concurrency` handlers, and carries forwards between them.
   */
  readonly shards?: ShardUrls | string | undefined;
  /** The shard that this worker serves alone; it carries to the others. Default: all. */
  readonly shard?: string | undefined;
  /**
   * `redis://USER:PASSWORD@HOST:6379`, `rediss://`, or of a cluster `redis+cluster://HOST:6379,HOST:6379`: the worker
   * serves the dedicated queue there, beside the database or alone, and carries forwards to it. It needs
   * `@duework/bullmq`, bullmq and ioredis. Default: none.
   */
  readonly dueworkRedisUrl?: string | undefined;
  /** Prefix of all keys in that Redis. Default: `duework`. */
  readonly dueworkRedisPrefix?: string | undefined;
  /** `required`: the worker starts only if its commits wait for a standby. Default: no requirement. */
  readonly replicated?: Replicated | undefined;
  /** Address of the probes and metrics. Default: 127.0.0.1; in Kubernetes all, for the probes alone. */
  readonly host?: string | undefined;
  /** Its port; 0: any free one, `none`: no probes and no metrics. Default: 4601, or another if that is taken. */
  readonly workerPort?: number | 'none' | undefined;
  /** Name of the worker; a random number is added. Default: host and pid. */
  readonly workerName?: string | undefined;
  /**
   * Whose `schedules` these are: one name for all workers of a program, and no other program's in this database. Default:
   * the name in the program's package.json.
   */
  readonly programName?: string | undefined;
  /** Handlers at once. Default: 10. */
  readonly concurrency?: number | undefined;
  /** Most runs claimed ahead of a free slot. Default: 2,000. */
  readonly buffer?: number | undefined;
  /** The queues to work on. Default: all of the catalog. */
  readonly queues?: readonly string[] | undefined;
  /**
   * What this worker has beside its code, such as `gpu`: types whose contracts have other `labels` are left to others.
   */
  readonly labels?: readonly string[] | undefined;
  /** The longest sleep while nothing is due and no wake-up comes. Default: 5,000; through a pooler 500. */
  readonly pollIntervalMs?: number | undefined;
  /** How long running jobs may still run once the worker stops. Default: 10,000. */
  readonly shutdownDeadlineMs?: number | undefined;
  /** How long succeeded and cancelled runs are kept. Default: 30. */
  readonly retentionDays?: number | undefined;
  /** How long dead runs and all attempts are kept. Default: 90. */
  readonly retentionDeadDays?: number | undefined;
  /** How long entries of the audit are kept, 30 at the least. Default: 400. */
  readonly retentionAuditDays?: number | undefined;
  /** How large the disk of the database is, so that an alert says when it will be full. Default: nobody knows. */
  readonly diskGb?: number | undefined;
  /**
   * When indexes that are mostly empty may be rebuilt, one at a time: `02:00-04:00@Europe/Berlin`, without a zone in UTC.
   * The worker's role must own the schema. Default: never.
   */
  readonly indexCare?: string | undefined;
  /** More dead runs within an hour are an alert. Default: 10. */
  readonly alertDeadPerHour?: number | undefined;
  /** A due run that waits for longer is an alert. Default: 300. */
  readonly alertWaitingSeconds?: number | undefined;
  /** A due run that no living worker can read, and that waits for longer, is an alert. Default: 300. */
  readonly alertUnservedSeconds?: number | undefined;
  /** Something that keeps dead rows from being removed for longer is an alert. Default: 300. */
  readonly alertHorizonSeconds?: number | undefined;
  /** A type of whose attempts this share failed lately is an alert. Default: 50. */
  readonly alertFailedPercent?: number | undefined;
  /** Addresses to post alerts to, beside the log, with spaces between, each with its options after `#`. */
  readonly alertWebhookUrl?: string | undefined;
  /** The mail server that takes mails about alerts: `smtp://` or `smtps://`, user and password. It needs nodemailer. */
  readonly alertSmtpUrl?: string | undefined;
  /** Who gets a mail about each alert; with `alertSmtpUrl` alone. */
  readonly alertMailTo?: readonly string[] | undefined;
  /** The sender of these mails. Default: the first of those who get them. */
  readonly alertMailFrom?: string | undefined;
  /** Which alerts are mailed, and when: `severity=critical,warning&quiet=22:00-07:00@Europe/Berlin`. Default: all. */
  readonly alertMailWhen?: string | undefined;
  /** Address of the console, for links in alerts: `https://jobs.example.com/console`. */
  readonly alertConsoleUrl?: string | undefined;
  /**
   * Keys that encrypt sensitive values, `k2:<base64>,k1:<base64>`: the first one encrypts, all of them decrypt. Default: those
   * that the program has given `setKeyRing`.
   */
  readonly dueworkKeys?: string | undefined;
  /** Of the worker's own log; a given `log` has its own. Default: info. */
  readonly logLevel?: LogLevel | undefined;
}

/** The settings of alerts. */
export const ALERT_SETTINGS = [
  'retentionDeadDays',
  'alertDeadPerHour',
  'alertWaitingSeconds',
  'alertUnservedSeconds',
  'alertHorizonSeconds',
  'alertFailedPercent',
  'alertWebhookUrl',
  'alertSmtpUrl',
  'alertMailTo',
  'alertMailFrom',
  'alertMailWhen',
  'alertConsoleUrl',
] as const satisfies readonly (keyof Settings)[];

export type AlertSetting = (typeof ALERT_SETTINGS)[number];
export type AlertSettings = Pick<Settings, AlertSetting>;
export type AlertOptions = Pick<SettingOptions, AlertSetting>;
