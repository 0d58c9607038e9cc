import { problems, type Route } from '@duework/http';
import { openMailServer } from './mail-server.js';
import type { TroubleParts } from './trouble-parts.js';

/** `POST /shop/accept-mails`: ends the refusal of the mail server before its time. */
export function acceptMails({ mailboxUrl }: TroubleParts): Route {
  const mailServer = openMailServer(mailboxUrl);
  return {
    scope: 'operate',
    doc: {
      method: 'post',
      path: '/shop/accept-mails',
      operationId: 'shop_accept_mails',
      summary: 'The mail server takes mails again',
      responses: { 303: { description: "The shop's page." }, ...problems() },
    },
    async handle(c) {
      await mailServer.accept();
      return c.redirect('/shop', 303);
    },
  };
}
