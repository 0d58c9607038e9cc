import type { AlertWish } from '../alerts/alert-target.js';
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Catalog } from '@duework/contracts';
import { DATABASE_WAIT_MS, readPgVariables } from '@duework/database';
import { LOG_LEVELS, type LogLevel } from '../logs/create-log.js';
import { nameProgram } from './name-program.js';
import type { Replicated, SettingOptions, Settings } from './settings.js';
import {
  readAddress,
  readAddresses,
  readDatabaseUrl,
  readHours,
  readKeys,
  readMatching,
  readNames,
  readOneOf,
  readPort,
  readRedisUrl,
  readShards,
  readSmtpUrl,
  readSomeOf,
  readWebUrl,
  readAlertTargets,
  readAlertWhen,
  readWhole,
  type ReadValue,
} from './value-readers.js';
import type { HoursOfDay } from './hours-of-day.js';
import { WrongValue } from './options-error.js';

export type Variables = Readonly<Record<string, string | undefined>>;

export interface Setting<T> {
  /** Where a value is given as text; an option's value is read from its text, too. */
  readonly read: ReadValue<T>;
  /** What it is where nothing is given. Throws `WrongValue` when something must be. */
  readonly fallback: (variables: Variables, options: SettingOptions) => T;
  /** Its value is never shown, not even when it is wrong. */
  readonly isSecret?: boolean;
}

export type SettingList = { readonly [K in keyof Settings]: Setting<Settings[K]> };

const setting = <T>(read: ReadValue<T>, fallback: NoInfer<T>): Setting<T> => ({ read, fallback: () => fallback });
const whole = (min: number, max: number, fallback: number): Setting<number> => setting(readWhole(min, max), fallback);
const YEAR_SECONDS = 31_536_000;

/**
 * No two workers have the same name, nor has one after a crash, whose runs would look as if they had an owner: the replicas
 * of a deployment share their variables, and a container that is started again keeps its host name and its pid.
 */
const nameAnew = (name: string): string => `${name}-${randomBytes(2).toString('hex')}`;

/** Every setting of a worker, in the order in which wrong ones are reported. */
export function listSettings(catalog: Catalog): SettingList {
  const queues = [...new Set(catalog.flatMap(({ queues: named }) => named))];
  return {
    databaseUrl: {
      read: readDatabaseUrl,
      fallback: (variables, { dueworkRedisUrl }) => {
        const url = readPgVariables(variables);
        if (url !== undefined) return readDatabaseUrl(url);
        if ((dueworkRedisUrl ?? (variables['DUEWORK_REDIS_URL'] || undefined)) !== undefined) return undefined;
        throw new WrongValue(
          'must be set, to postgres://USER:PASSWORD@HOST:5432/DATABASE, or PGHOST, PGUSER, PGPASSWORD and PGDATABASE',
        );
      },
      isSecret: true,
    },
    databaseWaitMs: whole(0, 86_400_000, DATABASE_WAIT_MS),
    shards: { read: readShards, fallback: () => undefined, isSecret: true },
    shard: setting<string | undefined>(
      readMatching(/^[a-z][a-z0-9_]{0,15}$/, 'must be the name of a shard'),
      undefined,
    ),
    dueworkRedisUrl: { read: readRedisUrl, fallback: () => undefined, isSecret: true },
    dueworkRedisPrefix: setting<string | undefined>(
      readMatching(/^[^:\s]{1,100}$/, 'must be 1 to 100 characters without spaces and colons'),
      undefined,
    ),
    replicated: setting<Replicated | undefined>(readOneOf(['required'] as const), undefined),
    host: {
      read: (text) => ({ address: readMatching(/^\S+$/, 'must be a host name or an address')(text), isAsked: true }),
      // a kubelet asks the pod's address
      fallback: ({ KUBERNETES_SERVICE_HOST: pod }) =>
        pod
          ? { address: pod.includes(':') ? '::' : '0.0.0.0', isAsked: false }
          : { address: '127.0.0.1', isAsked: true },
    },
    // a second worker on one host is development; in production something asks this very port
    workerPort: {
      read: readPort,
      fallback: ({ NODE_ENV }) => ({ port: 4601, isFixed: NODE_ENV === 'production' }),
    },
    workerName: {
      read: (text) =>
        nameAnew(readMatching(/^[\x21-\x7e]{1,128}$/, 'must be 1 to 128 characters without spaces')(text)),
      fallback: () => nameAnew(`${hostname()}-${process.pid}`),
    },
    programName: {
      read: readMatching(/^[\x21-\x7e]{1,128}$/, 'must be 1 to 128 characters without spaces'),
      fallback: () => nameProgram(process.argv[1], process.cwd()),
    },
    concurrency: whole(1, 1_000, 10),
    buffer: whole(0, 10_000, 2_000),
    queues: setting(readSomeOf(queues), queues),
    labels: setting<readonly string[]>(readNames, []),
    pollIntervalMs: setting<number | undefined>(readWhole(10, 60_000), undefined),
    shutdownDeadlineMs: whole(0, 3_600_000, 10_000),
    retentionDays: whole(1, 36_500, 30),
    retentionDeadDays: whole(1, 36_500, 90),
    retentionAuditDays: whole(30, 36_500, 400),
    diskGb: setting<number | undefined>(readWhole(1, 1_000_000), undefined),
    indexCare: setting<HoursOfDay | undefined>(readHours, undefined),
    alertDeadPerHour: whole(0, 1_000_000, 10),
    alertWaitingSeconds: whole(1, YEAR_SECONDS, 300),
    alertUnservedSeconds: whole(1, YEAR_SECONDS, 300),
    alertHorizonSeconds: whole(1, YEAR_SECONDS, 300),
    alertFailedPercent: whole(1, 100, 50),
    alertWebhookUrl: { read: readAlertTargets, fallback: () => undefined, isSecret: true },
    alertSmtpUrl: { read: readSmtpUrl, fallback: () => undefined, isSecret: true },
    alertMailTo: setting<readonly string[] | undefined>(readAddresses, undefined),
    alertMailFrom: setting<string | undefined>(readAddress, undefined),
    alertMailWhen: setting<AlertWish | undefined>(readAlertWhen, undefined),
    alertConsoleUrl: setting<string | undefined>(readWebUrl, undefined),
    dueworkKeys: { read: readKeys, fallback: () => undefined, isSecret: true },
    logLevel: setting(readOneOf(Object.keys(LOG_LEVELS) as LogLevel[]), 'info'),
  };
}
