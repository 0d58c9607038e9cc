import type { EmitEvent, RaisedAlert } from '@duework/queue-core';
import type { Log } from '../logs/worker-log.js';
import { describeAlert } from './describe-alert.js';
import type { Mailer, TextMail } from './load-mailer.js';

/** How long it waits before each further try: a mail server that is away, or puts off strangers, is back by then. */
const PAUSES_MS = [10_000, 60_000, 300_000];

export interface MailAlertsOptions {
  readonly log: Pick<Log, 'error'>;
  /** null: nobody gets mails. */
  readonly mailer: Mailer | null;
  readonly now: () => Date;
  readonly pause: (ms: number) => Promise<void>;
}

/**
 * Mails raised alerts. Nobody waits for it. A mail that the server does not take is tried again three times, over six
 * minutes, unless the server has refused it for good (5yz). Each failure is logged, without an address.
 */
export function mailAlerts({ log, mailer, now, pause }: MailAlertsOptions): EmitEvent {
  return (event) => {
    if (event.name === 'alert.raised' && mailer !== null) void deliver(event.alert, event.worker, mailer);
  };

  async function deliver(alert: RaisedAlert, worker: string, { from, to, send }: Mailer): Promise<void> {
    const mail = { from, to, ...writeAlertMail(alert, worker, now()) };
    for (const pauseMs of [...PAUSES_MS, null]) {
      try {
        const { refused } = await send(mail);
        if (refused > 0) log.error({ alert: alert.name, reason: 'recipients_refused', refused }, 'alert.unsent');
        return;
      } catch (error) {
        const againInMs = isRefusedForGood(error) ? null : pauseMs;
        log.error({ alert: alert.name, reason: reasonOf(error), againInMs }, 'alert.unsent');
        if (againInMs === null) return;
        await pause(againInMs);
      }
    }
  }
}

/** The subject and the text of the mail about an alert. */
export function writeAlertMail(alert: RaisedAlert, worker: string, at: Date): Pick<TextMail, 'subject' | 'text'> {
  const { says, advises } = describeAlert(alert);
  const facts = Object.entries(alert.facts).map(([fact, value]) => `${fact}: ${value}`);
  const origin = `Raised by ${worker} at ${at.toISOString()}. If it lasts, there is another mail in an hour.`;
  return {
    subject: `[duework] ${alert.name}`,
    text: `${says}\n${advises}\n\n${facts.join('\n')}\n\n${origin}\n`,
  };
}

const replyOf = (error: unknown): number => (error as { responseCode?: number }).responseCode ?? 0;

function isRefusedForGood(error: unknown): boolean {
  return replyOf(error) >= 500;
}

/** The reply's number or the network's code, because the error's text may quote an address. */
function reasonOf(error: unknown): string {
  const reply = replyOf(error);
  return reply > 0 ? `smtp_${reply}` : ((error as { code?: string }).code ?? 'unknown');
}
