/** `critical`: act now. `warning`: look today. `info`: good to know. */
export type AlertSeverity = 'critical' | 'warning' | 'info';

/** Every alert, with how much it matters. */
export const ALERT_SEVERITIES = {
  failing_job_type: 'critical',
  no_worker_for_type: 'critical',
  schedule_late: 'critical',
  effect_unknown: 'warning',
  too_many_dead_jobs: 'warning',
  oldest_job_waits_too_long: 'warning',
  held_job_waits_too_long: 'warning',
  job_released_too_often: 'warning',
  breaker_open: 'warning',
  order_blocked: 'warning',
  horizon_pinned: 'warning',
  disk_fills_up: 'warning',
  dead_runs_expire: 'info',
  // whoever asks for one says how grave it is
  test: 'info',
} as const satisfies { readonly [name: string]: AlertSeverity };

export type AlertName = keyof typeof ALERT_SEVERITIES;

/** What is left out has the default of the environment's variables. */
export interface AlertLimits {
  /** Alerts when more runs of a type than this died within the last hour. */
  readonly maxDeadPerHour?: number;
  /** Alerts when the oldest due run of a queue has waited for longer than this. */
  readonly maxWaitingSeconds?: number;
  /** Alerts when dead rows could not be removed for longer than this; only in stores with such rows. */
  readonly maxHorizonSeconds?: number;
  /** How long dead runs are kept; default 90 days. Alerts a week before unacknowledged runs are deleted. */
  readonly keepDeadDays?: number;
  /** Alerts when a due run has waited for longer than this, and no worker that lives can read it; default 300 s. */
  readonly maxUnservedSeconds?: number;
  /** Alerts when this share of a type's attempts within 15 minutes failed, 0 to 1; default one half … */
  readonly maxFailedShare?: number;
  /** … of at least so many attempts; default 20. */
  readonly minAttempts?: number;
  /** Alerts when a schedule's due time is undecided for this long; default 300 s. */
  readonly maxUndecidedSeconds?: number;
}

/** Something that is wrong. */
export interface AlertCondition {
  readonly name: AlertName;
  /** Its subject: a type, queue, rule, schedule or session; '': all. */
  readonly subject: string;
  /** None has a value of a payload. */
  readonly facts: { readonly [fact: string]: number | string };
}

/** Something to tell of an alert: that it began, that it still lasts an hour later, or that it is over. */
export interface AlertMessage extends AlertCondition {
  /** The shard, if there are several. */
  readonly shard?: string;
  readonly status: 'raised' | 'lasts' | 'resolved';
  readonly severity: AlertSeverity;
  readonly raisedAt: Date;
  /** null: it is on. */
  readonly resolvedAt: Date | null;
  /** Of one alert a later message has a higher number. */
  readonly message: number;
  /** Whether it was not yet sent in any way. */
  readonly isFirst: boolean;
  /** By which ways it has to be told. */
  readonly ways: readonly string[];
}

export interface AlertTold extends Pick<AlertMessage, 'name' | 'subject' | 'message'> {
  readonly told: readonly string[];
  readonly hasFailed: boolean;
}

/** The name of one alert about one subject: `failing_job_type/send_mail`. */
export const keyOfAlert = ({ name, subject }: Pick<AlertCondition, 'name' | 'subject'>): string =>
  subject === '' ? name : `${name}/${subject}`;
