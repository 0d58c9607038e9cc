import { OptionsError } from '../settings/options-error.js';
import type { Settings } from '../settings/settings.js';

/** A mail as text. */
export interface TextMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

/** Hands a mail over to a mail server; rejects with an error of nodemailer. Returns how many recipients were refused. */
export type SendMail = (mail: TextMail) => Promise<{ readonly refused: number }>;

export interface Mailer {
  readonly from: string;
  readonly to: readonly string[];
  readonly send: SendMail;
}

/** Shorter than nodemailer's own (2 min, 30 s, 10 min). Parameters of the URL come first. */
const PARAMETERS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 5_000 };

/**
 * What sends alerts by mail; null when nobody is to get any. It needs nodemailer, which a worker does without.
 *
 * @throws OptionsError when nodemailer is not installed
 */
export async function loadMailer({
  alertSmtpUrl: url,
  alertMailTo: to,
  alertMailFrom: from,
}: Pick<Settings, 'alertSmtpUrl' | 'alertMailTo' | 'alertMailFrom'>): Promise<Mailer | null> {
  if (url === undefined || to === undefined) return null;
  const nodemailer = await importNodemailer();
  const transport = nodemailer.createTransport(withParameters(url));
  return {
    to,
    from: from ?? to[0]!,
    async send(mail) {
      // tells out-of-office programs not to answer (RFC 3834)
      const headers = { 'Auto-Submitted': 'auto-generated' };
      const safety = { disableFileAccess: true, disableUrlAccess: true };
      const { rejected } = await transport.sendMail({ ...mail, to: [...mail.to], headers, ...safety });
      return { refused: rejected.length };
    },
  };
}

function withParameters(url: string): string {
  const complete = new URL(url);
  for (const [name, value] of Object.entries(PARAMETERS))
    if (!complete.searchParams.has(name)) complete.searchParams.set(name, String(value));
  // its log would have addresses in it
  complete.searchParams.set('logger', 'false');
  return complete.toString();
}

async function importNodemailer() {
  try {
    return await import('nodemailer');
  } catch (error) {
    // the second is what a CommonJS build of this file gets
    const codes: unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];
    if (!codes.includes((error as NodeJS.ErrnoException).code)) throw error;
    throw new OptionsError(['ALERT_MAIL_TO needs nodemailer, which is not installed. Run: npm install nodemailer']);
  }
}
