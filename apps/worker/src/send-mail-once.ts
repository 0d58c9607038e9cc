import type { PrismaClient } from '@duework/database';
import { complete, type HandlerLog, type Outcome } from '@duework/queue-core';
import { composeMail, type Mail } from './mail/compose-mail.js';
import { handOver, refusalOf } from './mail/hand-over.js';
import { judgeEarlierMail, type MailResult } from './mail/judge-earlier-mail.js';
import { openSmtpSession } from './mail/open-smtp-session.js';
import type { MailClaim } from './sql/claim-mail.js';
import { confirmMail } from './sql/confirm-mail.js';
import { findMail } from './sql/find-mail.js';
import { writePersistently } from './write-persistently.js';

/**
 * Sends a mail at most once, unless a person decides otherwise.
 *
 *   compose → connect, sign in → sender, recipient, DATA → row `sending` committed → content → 250 → row `sent`
 *
 * Invariants: no byte of the content leaves before the row is committed, and no attempt sends while the row says `sending`
 * or `sent`. So a worker that dies before the row has sent nothing, and the next attempt sends; one that dies between the
 * row and the server's answer leaves `sending`, and the next attempt cannot know whether the mail left: it marks the row
 * `unconfirmed`, and the run is dead with `mail_unconfirmed`. Only an operator's retry sends it again, under the same
 * Message-ID. Every write names key, run and fence, so a worker that lost its lease cannot touch its successor's row.
 */
export type SendMailOnce = (context: MailContext, request: MailRequest) => Promise<Outcome<MailResult>>;

/** What is needed of a handler's context. */
export interface MailContext {
  readonly run: { readonly id: string };
  readonly fence: number;
  readonly signal: AbortSignal;
  readonly log: HandlerLog;
}

export interface MailRequest {
  /** The business event's key, `invoice:812`; the Message-ID is made from it. */
  readonly key: string;
  readonly mailTo: string;
  /** Called only when the mail is going to be sent. */
  readonly compose: () => Promise<Mail>;
}

/** `from` is one address (`Shop <shop@example.com>`); `smtpUrl` as nodemailer reads it. */
export function createMailSender({ db, smtpUrl, from }: { db: PrismaClient; smtpUrl: string; from: string }): SendMailOnce {
  return async ({ run, fence, signal, log }, { key, mailTo, compose }) => {
    const messageId = `<${key.replaceAll(':', '-')}@duework.local>`;
    const claim: MailClaim = { key, messageId, recipient: mailTo, runId: run.id, fence };
    const earlier = await findMail(db, key);
    const judged = await judgeEarlierMail(db, claim, earlier);
    if (judged !== null) return judged;

    const mail = await composeMail(await compose(), from, messageId);
    const session = await openSmtpSession(smtpUrl, signal).catch(refusalOf);
    if ('kind' in session) return session;
    const sent = await handOver({ db, session, mail, claim, doubted: earlier, signal });
    if (sent.kind !== 'handed_over') return sent;

    const isRecorded = await writePersistently(() => confirmMail(db, claim), signal);
    if (!isRecorded) log.warn({ messageId }, 'this mail was sent, but another attempt has claimed it meanwhile');
    return complete({ messageId, reply: sent.reply.slice(0, 200) });
  };
}
