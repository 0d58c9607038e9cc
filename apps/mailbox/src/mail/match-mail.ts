import type { MailQuery } from './mail-query.js';
import type { MailSummary } from './mail.js';

const bare = (messageId: string): string => messageId.trim().replace(/^<(.*)>$/, '$1');

/** Whether a mail meets every condition of the query; `before` and `limit` are the caller's. */
export function matchMail(mail: MailSummary, query: MailQuery): boolean {
  const { to, messageId, subject, q, isDuplicate } = query;
  if (to !== undefined && !mail.to.some((address) => address.toLowerCase() === to.toLowerCase())) return false;
  if (messageId !== undefined && (mail.messageId === null || bare(mail.messageId) !== bare(messageId))) return false;
  if (subject !== undefined && !mail.subject.toLowerCase().includes(subject.toLowerCase())) return false;
  if (isDuplicate !== undefined && mail.isDuplicate !== isDuplicate) return false;
  if (q === undefined) return true;
  const part = q.toLowerCase();
  return [mail.from, ...mail.to, mail.subject, mail.messageId ?? ''].some((text) => text.toLowerCase().includes(part));
}
