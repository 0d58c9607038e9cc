import { describeAlert, keyOfAlert, type AlertCondition, type AlertMessage } from '@duework/queue-core';

/** What is told of an alert; the formats of all services are made from it. */
export interface AlertBody {
  /** The same when it is told again. */
  readonly id: string;
  /** The alert and its subject: the same when it begins, lasts and is over. */
  readonly key: string;
  readonly name: AlertCondition['name'];
  readonly subject: string;
  readonly status: AlertMessage['status'];
  readonly severity: AlertMessage['severity'];
  /** What is wrong, or was, as a sentence. */
  readonly text: string;
  /** What to look at first. */
  readonly advice: string;
  readonly facts: AlertCondition['facts'];
  /** The screen that shows it; null: nobody has said where the console is. */
  readonly url: string | null;
  readonly raisedAt: string;
  /** null: it is on. */
  readonly resolvedAt: string | null;
  /** How long it has been on, or was. */
  readonly seconds: number;
  readonly worker: string;
  readonly at: string;
}

/** @param consoleUrl where the console is, as people open it */
export function toAlertBody(alert: AlertMessage, worker: string, at: Date, consoleUrl: string | undefined): AlertBody {
  const { name, subject, status, severity, facts, raisedAt, resolvedAt, message } = alert;
  const { says, advises } = describeAlert(alert);
  const seconds = Math.max(0, Math.round(((resolvedAt ?? at).getTime() - raisedAt.getTime()) / 1_000));
  const key = alert.shard === undefined ? keyOfAlert(alert) : `${alert.shard}.${keyOfAlert(alert)}`;
  return {
    id: `${key}#${message}`,
    key,
    name,
    subject,
    status,
    severity,
    text: status === 'resolved' ? `It is over after ${seconds} s. It was: ${says}` : says,
    advice: advises,
    facts,
    url: consoleUrl === undefined ? null : consoleUrl.replace(/\/$/, '') + screenOf(alert),
    raisedAt: raisedAt.toISOString(),
    resolvedAt: resolvedAt?.toISOString() ?? null,
    seconds,
    worker,
    at: at.toISOString(),
  };
}

/** The path of the console's screen that shows what an alert is about. */
function screenOf({ name, subject, facts }: AlertMessage): string {
  const jobs = (filter: string): string => `/jobs?filter=${encodeURIComponent(filter)}`;
  const type = facts['type'] === undefined ? '' : ` type:${facts['type']}`;
  switch (name) {
    case 'too_many_dead_jobs':
      return jobs(`status:dead since:1h${type}`);
    case 'effect_unknown':
      return jobs(`status:dead code:effect_unknown${type}`);
    case 'dead_runs_expire':
      return jobs('status:dead');
    case 'failing_job_type':
      return `/failures?range=1h&type=${encodeURIComponent(subject)}`;
    case 'oldest_job_waits_too_long':
      return '/queues';
    case 'no_worker_for_type':
      return '/workers';
    case 'schedule_late':
      return `/schedules/${encodeURIComponent(subject)}`;
    case 'breaker_open':
      return `/flow/${subject}`;
    case 'order_blocked':
    case 'held_job_waits_too_long':
    case 'job_released_too_often':
      return `/jobs/${facts['id']}`;
    case 'horizon_pinned':
    case 'disk_fills_up':
    case 'test':
      return '/overview';
  }
}
