import type { MailSummary } from './mail.js';

/** The conditions of a list. Every given one must hold. */
export interface MailQuery {
  /** A recipient, the whole address, in any case. */
  readonly to?: string | undefined;
  /** The whole Message-ID, with or without angle brackets. */
  readonly messageId?: string | undefined;
  /** A part of the subject, in any case. */
  readonly subject?: string | undefined;
  /** A part of the sender, a recipient, the subject or the Message-ID, in any case. */
  readonly q?: string | undefined;
  readonly isDuplicate?: boolean | undefined;
  /** Only mails older than this id. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** One page, newest first. `total` counts all mails that match, on whichever page. */
export interface MailPage {
  readonly mails: readonly MailSummary[];
  readonly total: number;
}
