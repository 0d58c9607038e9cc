import { type Duration, parseDuration } from '@duework/contracts';
import { type Act, ALERT_SEVERITIES, type AlertSeverity, DueworkError, type Queryable } from '@duework/queue-core';
import { checkAct } from '@duework/queue-core/internals';
import { checkText } from '@duework/sql';
import { acknowledgeAlert as acknowledge } from './sql/acknowledge-alert.js';
import { endSilence } from './sql/end-silence.js';
import { raiseTestAlert } from './sql/raise-test-alert.js';
import { writeSilence } from './sql/write-silence.js';

/** As much as the audit keeps of what was changed. */
const MAX_KEY = 255;
const MAX_SILENCE_MS = 366 * 86_400_000;
const SEVERITIES = ['critical', 'warning', 'info'];

/**
 * Silences an alert for a while: by its key `failing_job_type/send_mail`, by its name for all subjects, `*` for all. It
 * need not be on. If its begin was reported, its end is too. null: the silence ends now. Throws `invalid_option`, and
 * `alert_not_found` if there is no silence to end.
 */
export async function silenceAlert(
  db: Queryable,
  key: string,
  duration: Duration | null,
  act: Act = {},
): Promise<void> {
  checkKey(key, true);
  checkAct(act);
  if (duration !== null) return writeSilence(db, key, readSpan(duration), act);
  if (!(await endSilence(db, key, act))) throw new DueworkError('alert_not_found', { key });
}

/** Acknowledges an alert, so that no reminder is sent. Throws `alert_not_found`, `invalid_option`. */
export async function acknowledgeAlert(db: Queryable, key: string, act: Act = {}): Promise<void> {
  checkKey(key, false);
  checkAct(act);
  if (!(await acknowledge(db, key, act))) throw new DueworkError('alert_not_found', { key });
}

/** Raises an alert that means nothing, to see whom it reaches; it is over after two minutes. Throws `invalid_option`. */
export async function testAlerts(db: Queryable, severity: AlertSeverity = 'info', act: Act = {}): Promise<void> {
  if (!SEVERITIES.includes(severity))
    throw new DueworkError('invalid_option', {
      option: 'severity',
      expected: `one of ${SEVERITIES.join(', ')}`,
      value: severity,
    });
  checkAct(act);
  await raiseTestAlert(db, severity, act);
}

function checkKey(key: string, isWide: boolean): void {
  checkText('key', key, MAX_KEY);
  const [name] = key.split('/');
  if ((isWide && key === '*') || Object.hasOwn(ALERT_SEVERITIES, name!)) return;
  throw new DueworkError('invalid_option', {
    option: 'key',
    expected: `the name of an alert, and behind / what it is about: ${Object.keys(ALERT_SEVERITIES).join(', ')}`,
    value: key,
  });
}

function readSpan(duration: Duration): number {
  let ms = NaN;
  try {
    ms = parseDuration(duration);
  } catch {
    // told below
  }
  if (ms >= 1 && ms <= MAX_SILENCE_MS) return ms;
  throw new DueworkError('invalid_option', { option: 'for', expected: 'a duration up to "366d"', value: duration });
}
