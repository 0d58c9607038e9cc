import type { Handler } from 'hono';
import type { Mailbox } from '../create-mailbox.js';

/**
 * `DELETE /mails`: removes every mail. A page of another site cannot ask for it: a browser does not send DELETE to
 * another origin without asking first, and the mailbox never agrees.
 */
export function clearMails(mailbox: Mailbox): Handler {
  return async (c) => c.json({ cleared: await mailbox.clear() });
}
