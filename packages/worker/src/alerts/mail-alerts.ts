import type { AlertWay } from '@duework/queue-core';
import type { Log } from '../logs/worker-log.js';
import { toAlertBody, type AlertBody } from './alert-body.js';
import { type AlertWish, isQuiet, isWanted } from './alert-target.js';
import type { Mailer, TextMail } from './load-mailer.js';

export interface MailAlertsOptions {
  readonly log: Pick<Log, 'error'>;
  readonly mailer: Mailer;
  /** Which of them are mailed, and when. */
  readonly wish: AlertWish;
  readonly consoleUrl: string | undefined;
  readonly now: () => Date;
}

/**
 * Mails alerts: all that one look has found is one mail. One that the server does not take is mailed again later, unless the
 * server has refused it for good (5yz). Each failure is logged, without an address.
 */
export function mailAlerts({ log, mailer: { from, to, send }, wish, consoleUrl, now }: MailAlertsOptions): AlertWay {
  return {
    name: 'mail',
    async tell(given, worker) {
      const at = now();
      const alerts = given.filter((alert) => isWanted(wish, alert) && !isQuiet(wish, alert, at));
      const others = given.filter((alert) => !isWanted(wish, alert));
      if (alerts.length === 0) return others;
      const bodies = alerts.map((alert) => toAlertBody(alert, worker, at, consoleUrl));
      const about = { alert: alerts[0]!.name, key: bodies[0]!.key };
      try {
        const { refused } = await send({ from, to, ...writeAlertMail(bodies) });
        if (refused > 0) log.error({ ...about, reason: 'recipients_refused', refused }, 'alert.unsent');
        return [...alerts, ...others];
      } catch (error) {
        const isAgain = !isRefusedForGood(error);
        log.error({ ...about, reason: reasonOf(error), isAgain }, 'alert.unsent');
        return isAgain ? others : [...alerts, ...others];
      }
    },
  };
}

/** The subject and the text of the mail about some alerts. */
export function writeAlertMail(bodies: readonly AlertBody[]): Pick<TextMail, 'subject' | 'text'> {
  const [{ key, status }, ...others] = bodies as [AlertBody, ...AlertBody[]];
  const isOver = status === 'resolved';
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return {
    subject: `[duework] ${isOver ? 'over: ' : ''}${key}${more}`,
    text: bodies.map(writeAlert).join('\n-- \n\n'),
  };
}

function writeAlert({ text, advice, facts, url, severity, status, worker, raisedAt, resolvedAt }: AlertBody): string {
  const lines = Object.entries(facts).map(([fact, value]) => `${fact}: ${value}`);
  const link = url === null ? '' : `${url}\n`;
  if (status === 'resolved') return `${text}\n${link}\nIt was on from ${raisedAt} to ${resolvedAt}.\n`;
  const origin = `${severity}, on since ${raisedAt}, told by ${worker}. If it lasts, there is another mail in an hour.`;
  return `${text}\n${advice}\n${link}\n${lines.join('\n')}\n\n${origin}\n`;
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
