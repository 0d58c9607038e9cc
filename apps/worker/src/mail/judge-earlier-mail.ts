import type { PrismaClient } from '@duework/database';
import { bury, complete, getJob, type Outcome } from '@duework/queue-core';
import type { MailClaim } from '../sql/claim-mail.js';
import { doubtMail } from '../sql/doubt-mail.js';
import { findMail, type GuardedMail } from '../sql/find-mail.js';

const UNCONFIRMED = 'mail_unconfirmed';

/** What is kept with a run whose mail went out: now, or in an earlier attempt. */
export type MailResult = { messageId: string; reply: string } | { messageId: string; isDuplicate: true };

/**
 * What an earlier attempt's row means for this one: null when the mail may be sent, else the outcome of this attempt.
 * A row that says `sending` is another attempt's, and whether that one still runs cannot be known: it is marked.
 */
export async function judgeEarlierMail(db: PrismaClient, claim: MailClaim, earlier: GuardedMail | null): Promise<Outcome<MailResult> | null> {
  switch (earlier?.status) {
    case undefined:
      return null;
    case 'sent':
      return complete({ messageId: claim.messageId, isDuplicate: true });
    case 'unconfirmed':
      return (await isSentAgainOnPurpose(db, claim, earlier)) ? null : buryUnconfirmed(claim);
    case 'sending':
      if (await doubtMail(db, claim.key, earlier)) return buryUnconfirmed(claim);
      return judgeEarlierMail(db, claim, await findMail(db, claim.key));
  }
}

/** Dead, with what a person has to know to decide whether the mail is sent again. */
export function buryUnconfirmed({ messageId }: MailClaim): Outcome<never> {
  return bury(
    UNCONFIRMED,
    'Nobody knows whether this mail was sent: the worker handed it to the mail server, and died or was cut off before the ' +
      `server had answered. Look for Message-ID ${messageId} in the recipient's mailbox or in the mail server's log. ` +
      'If it is not there, retry this job: that sends the mail again, with the same Message-ID.',
  );
}

/**
 * A run that was buried for this mail runs again only because an operator retried it, and what tells so is the attempt on
 * record that buried it. That the row says `unconfirmed` is not enough: the attempt that marked it may have died before it
 * was buried.
 */
async function isSentAgainOnPurpose(db: PrismaClient, { runId }: MailClaim, row: GuardedMail): Promise<boolean> {
  const { attempts } = await getJob(db, runId);
  return attempts.some(({ errorCode, fence }) => errorCode === UNCONFIRMED && (row.runId !== runId || fence >= row.fence));
}
