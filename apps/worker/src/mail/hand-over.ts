import type { PrismaClient } from '@duework/database';
import { bury, type Outcome } from '@duework/queue-core';
import { claimMail, type MailClaim } from '../sql/claim-mail.js';
import { doubtMail } from '../sql/doubt-mail.js';
import { findMail, type GuardedMail } from '../sql/find-mail.js';
import { forgetMail } from '../sql/forget-mail.js';
import { writePersistently } from '../write-persistently.js';
import type { ComposedMail } from './compose-mail.js';
import { buryUnconfirmed, judgeEarlierMail, type MailResult } from './judge-earlier-mail.js';
import type { SmtpSession } from './open-smtp-session.js';
import { SmtpError } from './smtp-error.js';

export interface HandOver {
  readonly db: PrismaClient;
  readonly session: SmtpSession;
  readonly mail: ComposedMail;
  readonly claim: MailClaim;
  /** The unconfirmed row that an operator decided to send again, if there is one. */
  readonly doubted: GuardedMail | null;
  readonly signal: AbortSignal;
}

/** The server took the mail, and said so. */
export interface HandedOver {
  readonly kind: 'handed_over';
  readonly reply: string;
}

/**
 * Commits the row and hands the mail over. When that fails, the row is gone if the mail did not leave for sure, and
 * `unconfirmed` if nobody can say. Returns the outcome of the attempt where it is decided; throws what may pass by itself.
 */
export async function handOver(task: HandOver): Promise<HandedOver | Outcome<MailResult>> {
  const { db, session, mail, claim, doubted } = task;
  let claiming: Promise<boolean> | null = null;
  const writeClaim = async (): Promise<void> => {
    claiming = claimMail(db, claim, doubted);
    if (!(await claiming)) throw new Error('Another attempt has begun to send this mail.');
  };
  try {
    return { kind: 'handed_over', reply: await session.deliver(mail.envelope, mail.content, writeClaim) };
  } catch (error) {
    return afterFailure(task, error, claiming);
  } finally {
    session.close();
  }
}

async function afterFailure({ db, session, claim, signal }: HandOver, error: unknown, claiming: Promise<boolean> | null): Promise<Outcome<MailResult>> {
  // the row may still be on its way when the connection breaks
  const written = await claiming?.then((isOurs) => ({ isOurs }), (databaseError: unknown) => ({ databaseError }));
  if (written !== undefined && 'isOurs' in written && !written.isOurs) {
    const outcome = await judgeEarlierMail(db, claim, await findMail(db, claim.key));
    if (outcome !== null) return outcome;
    throw error;
  }
  const isAnswered = error instanceof SmtpError && error.reply !== null;
  if (session.hasBegun && !isAnswered) {
    await writePersistently(() => doubtMail(db, claim.key, claim), signal);
    return buryUnconfirmed(claim);
  }
  // also when the statement failed: its commit may have got through
  if (written !== undefined) await writePersistently(() => forgetMail(db, claim), signal);
  signal.throwIfAborted();
  if (written !== undefined && 'databaseError' in written) throw written.databaseError;
  return refusalOf(error);
}

/** Dead when the server will never take this mail; everything else is thrown, and tried again. */
export function refusalOf(error: unknown): Outcome<never> {
  if (error instanceof SmtpError && error.isPermanent) return bury(error.code, error.message);
  throw error;
}
