import { bury, complete, EffectUnknownError, type JobContext, type Outcome } from '@duework/queue-core';
import { composeMail, type Mail } from './mail/compose-mail.js';
import { openSmtpSession, type SmtpSession } from './mail/open-smtp-session.js';
import { SmtpError } from './mail/smtp-error.js';

/**
 * Sends a mail at most once per business key of its run, unless a person decides otherwise.
 *
 *   compose → connect, sign in → sender, recipient, DATA → the effect begins: committed → content → 250 → the effect is done
 *
 * No byte of the content is sent before the effect's row is committed. So a worker that dies before the commit has sent
 * nothing, and the next attempt sends; one that dies between the row and the server's answer leaves an open question,
 * and the run is dead with `effect_unknown`: only an operator's retry sends the mail again, under the same Message-ID.
 *
 * A run that was enqueued without its contract's key, or under another one, counts as another business event here.
 */
export type SendMailOnce = (
  context: Pick<JobContext, 'once' | 'signal'>,
  request: MailRequest,
) => Promise<Outcome<MailResult>>;

export interface MailRequest {
  /** The business event's key, `invoice:812`; the Message-ID is made from it. */
  readonly key: string;
  /** Called only when the mail is going to be sent. */
  readonly compose: () => Promise<Mail>;
}

/** The result of a run whose mail was sent, now or in an earlier attempt: the server's reply when it took the mail. */
export type MailResult = { messageId: string; reply: string };

/** Stands for the server's reply when an operator says that the mail was sent. */
const FOUND = 'An operator found this mail.';
const MAX_REPLY = 200;

/** `from` is one address (`Shop <shop@example.com>`); `smtpUrl` as nodemailer reads it. */
export function createMailSender({ smtpUrl, from }: { smtpUrl: string; from: string }): SendMailOnce {
  return async ({ once, signal }, { key, compose }) => {
    const messageId = `<${toMessageName(key)}@duework.local>`;
    let session: SmtpSession | null = null;
    // a server that answered with a refusal has not taken the mail
    const didNotHappen = (error: unknown): boolean =>
      session?.hasBegun !== true || (error instanceof SmtpError && error.reply !== null);
    const send = async (begin: () => Promise<void>): Promise<string | null> => {
      const mail = await composeMail(await compose(), from, messageId);
      session = await openSmtpSession(smtpUrl, signal);
      try {
        return toStorable(await session.deliver(mail.envelope, mail.content, begin));
      } finally {
        session.close();
      }
    };
    try {
      const reply = await once('mail', ({ begin }) => send(begin), { key, beginLate: true, didNotHappen });
      return complete({ messageId, reply: reply ?? FOUND });
    } catch (error) {
      if (EffectUnknownError.is(error)) return bury(error.code, describeUnknown(messageId));
      if (error instanceof SmtpError && error.isPermanent) return bury(error.code, error.message);
      throw error;
    }
  };
}

/** What an operator has to know to decide whether the mail is sent again. */
function describeUnknown(messageId: string): string {
  return (
    'Nobody knows whether this mail was sent: the worker handed it to the mail server, and died or was cut off before the ' +
    `server had answered. Look for Message-ID ${messageId} in the recipient's mailbox or in the mail server's log. ` +
    'If it is not there, retry this job: that sends the mail again, with the same Message-ID. If it is, retry it and say so (effectsHappened).'
  );
}

/** `invoice-812` of `invoice:812`; a character that could end a Message-ID, or break its line, is percent-encoded. */
function toMessageName(key: string): string {
  return encodeURIComponent(key.replaceAll(':', '-')).replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'));
}

/** A reply is ASCII; anything else that a server sends must not keep the effect from being on record. */
function toStorable(reply: string): string {
  return reply.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_REPLY);
}
