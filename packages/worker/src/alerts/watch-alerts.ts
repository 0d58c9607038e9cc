/**
 * Looks for alerts in a process that is no worker, such as an API: where every worker is dead, nobody else would.
 *
 * Workers and all who watch look at the same conditions, and the alert's row in the database decides who raises it: once
 * an hour, whoever comes first. So it matters to nobody how many watch.
 */
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import {
  createPostgresStore,
  systemClock as clock,
  type EmitEvent,
  type RaisedAlert,
  type Transactable,
} from '@duework/queue-core';
import { createTicker } from '@duework/schedules/ticker';
import { readClock } from '../clock.js';
import { readAlertSettings } from '../settings/env.js';
import type { AlertOptions } from '../settings/settings.js';
import { completeLog, type WorkerLog } from '../logs/worker-log.js';
import { alertLimitsOf } from './alert-limits-of.js';
import { loadMailer } from './load-mailer.js';
import { mailAlerts } from './mail-alerts.js';
import { postAlerts } from './post-alerts.js';

const INTERVAL_MS = 60_000;

/** Each limit, web hook and mail server that is not given is its variable, as for workers: `ALERT_WAITING_SECONDS`. */
export interface WatchAlertsOptions extends AlertOptions {
  readonly db: Transactable;
  /** Gets a line for each alert, and for a look that failed. */
  readonly log: WorkerLog;
  /** Who raises them, as posts and mails say. Default: host and pid. */
  readonly name?: string;
}

/**
 * Looks now and once a minute, until the function that it resolves with is called. A look that fails is logged.
 *
 * @throws OptionsError when an option or a variable is wrong, or nodemailer is missing
 */
export async function watchAlerts({ db, log: given, name, ...options }: WatchAlertsOptions): Promise<() => void> {
  const settings = readAlertSettings(options);
  const mailer = await loadMailer(settings);
  const worker = name ?? `${hostname()}-${process.pid}`;
  const log = completeLog(given, {});
  const listeners: readonly EmitEvent[] = [
    postAlerts({ log, url: settings.alertWebhookUrl, now: readClock }),
    mailAlerts({ log, mailer, now: readClock, pause: (ms) => pause(ms, undefined, { ref: false }) }),
  ];
  const store = createPostgresStore({ db });
  const ticker = createTicker({ db, catalog: [], worker, emit: () => {} });
  const limits = { ...alertLimitsOf(settings), keepDeadDays: settings.retentionDeadDays };
  let isStopped = false;
  let cancel = (): void => {};

  function raise(alert: RaisedAlert): void {
    log.error({ alert: alert.name, facts: alert.facts }, 'alert.raised');
    for (const tell of listeners) tell({ name: 'alert.raised', worker, alert });
  }

  async function look(): Promise<void> {
    try {
      for (const alert of await store.raiseAlerts(limits)) raise(alert);
      for (const alert of await ticker.raiseAlerts()) raise(alert);
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
