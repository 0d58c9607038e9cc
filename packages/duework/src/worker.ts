/**
 * `duework/worker`: what runs jobs. `createWorker` takes the parts, for those who put a worker together themselves.
 */
export {
  AbortReason,
  BundledAwayError,
  combineMiddleware,
  createPostgresStore,
  createWorker,
  HandlersError,
  heartbeatInThread,
  hasWork,
  readHorizonAge,
  readUnservedJobs,
  type AbortCode,
  type AttemptFailure,
  type Backoff,
  type Backoffs,
  type ClaimedRun,
  type EmitEvent,
  type HandlersErrorCode,
  type Heartbeat,
  type HeartbeatThreadOptions,
  type Middleware,
  type Store,
  type Ticker,
  type UnservedJobs,
  type Worker,
  type WorkerActivity,
  type WorkerEvent,
  type WorkerOptions,
} from '@duework/queue-core';
export { prismaPool, type PrismaPool, type PrismaPoolConfig, type PrismaPoolOptions } from '@duework/database';
export { isolated } from '@duework/isolation';
export {
  OptionsError,
  runWorker,
  watchAlerts,
  type AlertOptions,
  type LogLevel,
  type MetricsRegistry,
  type OnceOption,
  type RunWorkerOptions,
  type SettingOptions,
  type StartedWorker,
  type WatchAlertsOptions,
  type WorkerLog,
} from '@duework/worker';
