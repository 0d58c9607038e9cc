import { type Catalog, tellUnknown } from '@duework/contracts';
import type { RunWorkerOptions } from '../run-worker-options.js';
import { listSettings } from './list-settings.js';
import { OptionsError } from './options-error.js';
import type { SettingOptions } from './settings.js';

/** Every option that is no setting. */
const KNOWN = {
  catalog: 0,
  handlers: 0,
  backoffs: 0,
  middleware: 0,
  schedules: 0,
  schedulesVersion: 0,
  prisma: 0,
  offload: 0,
  codeVersion: 0,
  log: 0,
  keepLogs: 0,
  registry: 0,
  onEvent: 0,
  onStarted: 0,
  once: 0,
  argv: 0,
  signal: 0,
  handleSignals: 0,
} satisfies Record<Exclude<keyof RunWorkerOptions<Catalog>, keyof SettingOptions>, 0>;

const OF_TYPES = 'an option of defineJob: maxAttempts, retry, timeout, lease, limits or rate';

/** What other queues call it. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  connectionString: 'databaseUrl',
  connection: 'databaseUrl, or dueworkRedisUrl',
  db: 'databaseUrl, or prisma',
  pgPool: 'databaseUrl',
  port: 'workerPort',
  name: 'workerName',
  logger: 'log',
  tasks: 'catalog and handlers',
  taskList: 'catalog and handlers',
  crontab: 'schedules',
  teamSize: 'concurrency',
  batchSize: 'collect of defineJob',
  maxConcurrency: 'concurrency',
  concurrentJobs: 'concurrency',
  pollInterval: 'pollIntervalMs',
  pollingIntervalSeconds: 'pollIntervalMs',
  removeOnComplete: 'retentionDays',
  removeOnFail: 'retentionDeadDays',
  noHandleSignals: 'handleSignals: false',
  attempts: OF_TYPES,
  retryLimit: OF_TYPES,
  retryDelay: OF_TYPES,
  backoff: OF_TYPES,
  limiter: OF_TYPES,
  lockDuration: OF_TYPES,
};

/** Throws `OptionsError` for an option that is missing or unknown: types refuse most of them, plain JavaScript none. */
export function checkNames(options: RunWorkerOptions<Catalog>): void {
  const given = Object.entries(options).filter(([, value]) => !isContract(value));
  const unknown = tellUnknown(Object.fromEntries(given), { ...KNOWN, ...listSettings([]) }, ELSEWHERE);
  if (unknown !== null) throw new OptionsError([`runWorker: ${unknown}.`]);
  for (const name of ['catalog', 'handlers'] as const)
    if (!options[name]) throw new OptionsError([`runWorker needs ${name}.`]);
}

/** A module of jobs whose exports are spread into the options has its contracts and signals beside its catalog. */
const isContract = (value: unknown): boolean => typeof value === 'object' && value !== null && 'payload' in value;
