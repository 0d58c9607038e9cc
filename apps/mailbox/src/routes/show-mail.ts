import type { Handler } from 'hono';
import type { Mailbox } from '../create-mailbox.js';
import { MAIL_PAGE_POLICY } from '../pages/page-policies.js';
import { renderMail } from '../pages/render-mail.js';
import { answerNotFound } from './answer-not-found.js';

/** `GET /mails/:id`: one mail for people. */
export function showMail(mailbox: Mailbox): Handler {
  return async (c) => {
    const mail = await mailbox.read(c.req.param('id') ?? '');
    if (mail === null) return answerNotFound(c);
    c.header('Content-Security-Policy', MAIL_PAGE_POLICY);
    return c.html(renderMail(mail, mail.summary));
  };
}
