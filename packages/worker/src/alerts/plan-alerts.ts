import type { AlertPlan, AlertWay } from '@duework/queue-core';
import { readClock } from '../clock.js';
import type { Log } from '../logs/worker-log.js';
import type { AlertSettings } from '../settings/settings.js';
import type { Mailer } from './load-mailer.js';
import { mailAlerts } from './mail-alerts.js';
import { postAlerts } from './post-alerts.js';

/** From where on something is an alert, and who is told. */
export function planAlerts(settings: AlertSettings, mailer: Mailer | null, log: Pick<Log, 'error'>): AlertPlan {
  const { alertWebhookUrl: targets, alertMailWhen: wish, alertConsoleUrl: consoleUrl } = settings;
  const told = { log, consoleUrl, now: readClock };
  const ways: AlertWay[] = (targets ?? []).map((target) => postAlerts({ ...told, target }));
  if (mailer !== null) ways.push(mailAlerts({ ...told, mailer, wish: wish ?? { only: {}, quiet: null } }));
  return {
    limits: {
      keepDeadDays: settings.retentionDeadDays,
      maxDeadPerHour: settings.alertDeadPerHour,
      maxWaitingSeconds: settings.alertWaitingSeconds,
      maxUnservedSeconds: settings.alertUnservedSeconds,
      maxHorizonSeconds: settings.alertHorizonSeconds,
      maxFailedShare: settings.alertFailedPercent / 100,
    },
    ways,
  };
}
