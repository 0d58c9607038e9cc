/** A worker in one line: `@duework/worker`. */
export { watchAlerts, type WatchAlertsOptions } from './alerts/watch-alerts.js';
export type { LogLevel } from './logs/create-log.js';
export type { MetricsRegistry } from './metrics/metrics-registry.js';
export { OptionsError } from './settings/options-error.js';
export { runWorker } from './run-worker.js';
export type { OnceOption, RunWorkerOptions, StartedWorker } from './run-worker-options.js';
export type { AlertOptions, SettingOptions } from './settings/settings.js';
export type { WorkerLog } from './logs/worker-log.js';
