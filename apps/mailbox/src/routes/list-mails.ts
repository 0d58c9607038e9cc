import type { Handler } from 'hono';
import type { Mailbox } from '../create-mailbox.js';
import type { Refusal } from '../refusal/create-refusal.js';
import { readRevision } from '../refusal/read-revision.js';
import { parseMailQuery } from '../mail/parse-mail-query.js';
import { answerProblem } from './answer-problem.js';

/**
 * `GET /api/mails`: one page of mails, newest first, and how many match. The ETag changes whenever any mail does,
 * and with the refusal, so the open page can ask every two seconds and mostly gets 304.
 */
export function listMails(mailbox: Mailbox, refusal: Refusal): Handler {
  return (c) => {
    const reading = parseMailQuery(c.req.query());
    if (!reading.ok) {
      return answerProblem(c, { status: 400, code: 'wrong_query', title: 'Wrong query', detail: reading.reason });
    }
    const etag = `"${readRevision(mailbox, refusal)}"`;
    c.header('ETag', etag);
    c.header('Cache-Control', 'no-cache');
    if (c.req.header('If-None-Match') === etag) return c.body(null, 304);
    return c.json(mailbox.list(reading.query));
  };
}
