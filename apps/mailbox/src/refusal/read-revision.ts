import type { Mailbox } from '../create-mailbox.js';
import type { Refusal } from './create-refusal.js';

/** Differs whenever the list would look different: by its mails, or by whether mails are refused. */
export const readRevision = (mailbox: Pick<Mailbox, 'revision'>, refusal: Pick<Refusal, 'until'>): string =>
  `${mailbox.revision()}-${refusal.until()?.getTime() ?? 0}`;
