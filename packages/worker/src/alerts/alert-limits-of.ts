import type { AlertLimits } from '@duework/queue-core';
import type { AlertSettings } from '../settings/settings.js';

/** From where on something is an alert. */
export const alertLimitsOf = (settings: AlertSettings): AlertLimits => ({
  maxDeadPerHour: settings.alertDeadPerHour,
  maxWaitingSeconds: settings.alertWaitingSeconds,
  maxUnservedSeconds: settings.alertUnservedSeconds,
  maxHorizonSeconds: settings.alertHorizonSeconds,
  maxFailedShare: settings.alertFailedPercent / 100,
});
