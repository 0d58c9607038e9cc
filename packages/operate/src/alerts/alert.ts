import type { AlertCondition, AlertSeverity } from '@duework/queue-core';

/** An alert that is on. */
export interface Alert extends AlertCondition {
  /** Its name and subject: `failing_job_type/send_mail`. */
  readonly key: string;
  readonly severity: AlertSeverity;
  /** What is wrong, as a sentence. */
  readonly text: string;
  /** What to look at first. */
  readonly advice: string;
  readonly raisedAt: Date;
  /** null: nobody has acknowledged it. */
  readonly acknowledgedAt: Date | null;
  readonly acknowledgedBy: string | null;
  /** null: it is not silenced. */
  readonly silencedUntil: Date | null;
}

/** Alerts that are silent for a while. */
export interface AlertSilence {
  /** A name and a subject, a name, or `*` for all. */
  readonly key: string;
  readonly since: Date;
  readonly until: Date;
  readonly by: string;
  readonly reason: string | null;
}

export interface AlertList {
  readonly alerts: readonly Alert[];
  readonly silences: readonly AlertSilence[];
}
