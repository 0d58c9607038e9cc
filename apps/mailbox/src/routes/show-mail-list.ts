import type { Handler } from 'hono';
import type { Mailbox } from '../create-mailbox.js';
import { parseMailQuery, PAGE_SIZE } from '../mail/parse-mail-query.js';
import type { Refusal } from '../refusal/create-refusal.js';
import { readRevision } from '../refusal/read-revision.js';
import { renderMailList } from '../pages/render-mail-list.js';

/** `GET /`: the list for people. A query that cannot be read shows all mails. */
export function showMailList(mailbox: Mailbox, refusal: Refusal): Handler {
  return (c) => {
    const reading = parseMailQuery({ ...c.req.query(), limit: '' });
    const query = reading.ok ? reading.query : { limit: PAGE_SIZE };
    return c.html(
      renderMailList({
        query,
        page: mailbox.list(query),
        duplicateCount: mailbox.list({ limit: 0, isDuplicate: true }).total,
        revision: readRevision(mailbox, refusal),
        refusedUntil: refusal.until(),
      }),
    );
  };
}
