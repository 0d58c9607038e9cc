/**
 * Looks for alerts in a process that is no worker, such as an API: where every worker is dead, nobody else would.
 *
 * Workers and all who watch look at the same conditions, and the database decides who tells what. So it matters to nobody
 * how many watch.
 */
import { hostname } from 'node:os';
import { createPostgresStore, systemClock as clock, tellAlerts, type Transactable } from '@duework/queue-core';
import { logEvents } from '../logs/log-events.js';
import { completeLog, type WorkerLog } from '../logs/worker-log.js';
import { readAlertSettings } from '../settings/env.js';
import type { AlertOptions } from '../settings/settings.js';
import { planAlerts } from './plan-alerts.js';
import { loadMailer } from './load-mailer.js';

const INTERVAL_MS = 60_000;

/** Each limit, web hook and mail server that is not given is its variable, as for workers: `ALERT_WAITING_SECONDS`. */
export interface WatchAlertsOptions extends AlertOptions {
  readonly db: Transactable;
  /** Gets a line for each alert, and for a look that failed. */
  readonly log: WorkerLog;
  /** The sender, in posts and mails. Default: host and pid. */
  readonly name?: string;
}

/**
 * Looks now and once a minute, until the function that it resolves with is called. A look that fails is logged.
 *
 * @throws OptionsError when an option or a variable is wrong, or nodemailer is missing
 */
export async function watchAlerts({ db, log: given, name, ...options }: WatchAlertsOptions): Promise<() => void> {
  const settings = readAlertSettings(options);
  const log = completeLog(given, {});
  const alerts = planAlerts(settings, await loadMailer(settings), log);
  const worker = name ?? `${hostname()}-${process.pid}`;
  const emit = logEvents(log, (error) => ({ code: 'unknown', problem: String(error) }));
  const store = createPostgresStore({ db });
  let isStopped = false;
  let cancel = (): void => {};

  async function look(): Promise<void> {
    try {
      await tellAlerts(store, alerts, emit, worker);
    } catch (error) {
      if (!isStopped) log.warn({ reason: (error as Error).message }, 'alerts.not_looked');
    }
    // not all at the same time where several have started together
    if (!isStopped) cancel = clock.after(INTERVAL_MS * (0.8 + 0.4 * Math.random()), () => void look());
  }

  void look();
  return () => {
    isStopped = true;
    cancel();
  };
}
