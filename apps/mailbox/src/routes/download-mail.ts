import type { Handler } from 'hono';
import type { Mailbox } from '../create-mailbox.js';
import { answerNotFound } from './answer-not-found.js';

/** `GET /mails/:id/raw`: the file as it is on disk, envelope lines first. */
export function downloadMail(mailbox: Mailbox): Handler {
  return async (c) => {
    const id = c.req.param('id') ?? '';
    const content = await mailbox.readRaw(id);
    if (content === null) return answerNotFound(c);
    return c.body(content, 200, {
      'Content-Type': 'message/rfc822',
      'Content-Disposition': `attachment; filename="${id}.eml"`,
    });
  };
}
