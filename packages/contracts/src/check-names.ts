import { ContractError } from './contract-error.js';
import type { AnyOptions } from './read-rules.js';
import { tellUnknown } from './tell-unknown.js';

/** Every option of `defineJob`. */
const KNOWN = {
  type: 0,
  version: 0,
  payload: 0,
  payloadJsonSchema: 0,
  defaultPayload: 0,
  result: 0,
  resultJsonSchema: 0,
  progress: 0,
  retry: 0,
  timeout: 0,
  lease: 0,
  maxAttempts: 0,
  maxSnoozes: 0,
  alertAfterReleases: 0,
  keep: 0,
  keepDead: 0,
  keepAttempts: 0,
  keepLogs: 0,
  queue: 0,
  queues: 0,
  labels: 0,
  priority: 0,
  expiresAfter: 0,
  onExpired: 0,
  onDead: 0,
  retryFor: 0,
  idempotencyKey: 0,
  idempotencyWindow: 0,
  unique: 0,
  errors: 0,
  effects: 0,
  onShutdown: 0,
  sensitive: 0,
  sensitiveResult: 0,
  encryption: 0,
  isolate: 0,
  collect: 0,
  durable: 0,
  past: 0,
  limits: 0,
  rate: 0,
  order: 0,
  tenant: 0,
  maxWait: 0,
  breaker: 0,
} satisfies Record<keyof AnyOptions | 'past', 0>;

const ATTEMPTS = 'maxAttempts, which counts the first one, too';
const RETRY = 'retry: exponential({ base: "10s" })';
const KEEP = 'keep: "7d" and keepDead, or retentionDays and retentionDeadDays of the worker';
const LATER = 'delay or runAt of enqueue';
const KEY = 'idempotencyKey, or unique';

/** What other queues call it. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  name: 'type',
  attempts: ATTEMPTS,
  retryLimit: ATTEMPTS,
  backoff: RETRY,
  retryDelay: RETRY,
  removeOnComplete: KEEP,
  removeOnFail: KEEP,
  delay: LATER,
  startAfter: LATER,
  expireInSeconds: 'timeout: "1m"',
  jobId: KEY,
  singletonKey: KEY,
  concurrency: 'limits: [{ max: 3 }], or concurrency of the worker',
  limiter: 'rate: { max: 100, per: "1m" }',
  deadLetter: 'onDead',
  tags: 'labels',
};

/** Throws `invalid_job_option` for an option that nobody would read. Types refuse most of them, plain JavaScript none. */
export function checkNames(options: AnyOptions): void {
  const unknown = tellUnknown(options, KNOWN, ELSEWHERE);
  if (unknown !== null) throw new ContractError('invalid_job_option', `Job ${options.type}: ${unknown}.`);
}
