import type { Handler } from 'hono';
import type { Mailbox } from '../create-mailbox.js';
import { answerNotFound } from './answer-not-found.js';

/** `GET /api/mails/:id`: a mail with its headers, text and HTML; attachments by name, fetched from their own address. */
export function readMail(mailbox: Mailbox): Handler {
  return async (c) => {
    const mail = await mailbox.read(c.req.param('id') ?? '');
    if (mail === null) return answerNotFound(c);
    const { summary, headers, text, html } = mail;
    const attachments = summary.attachments.map((attachment, index) => ({
      ...attachment,
      url: `/mails/${summary.id}/attachments/${index}`,
    }));
    return c.json({ ...summary, attachments, headers, text, html });
  };
}
