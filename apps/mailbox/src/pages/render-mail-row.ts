import { html } from 'hono/html';
import type { MailSummary } from '../mail/mail.js';
import { formatTime } from './format-time.js';
import type { Html } from './render-page.js';

/** Recipients that a row names; the mail's page names all. */
const SHOWN_RECIPIENTS = 3;

/** Renders one line of the list. */
export function renderMailRow(mail: MailSummary): Html {
  const more = mail.to.length - SHOWN_RECIPIENTS;
  return html`<tr id="mail-${mail.id}">
    <td class="when">
      <time datetime="${mail.receivedAt}" title="${mail.receivedAt}">${formatTime(mail.receivedAt)}</time>
    </td>
    <td class="people">
      <span class="to">${mail.to.slice(0, SHOWN_RECIPIENTS).join(', ')}${more > 0 ? ` and ${more} more` : ''}</span>
      <span class="from">from ${mail.from || 'nobody'}</span>
    </td>
    <td class="subject">
      <a href="/mails/${mail.id}">${mail.subject || '(no subject)'}</a>
      ${mail.isDuplicate ? html`<strong class="duplicate" title="Another mail has the same Message-ID">duplicate</strong>` : ''}
      <span class="files">${mail.attachments.map(({ filename }) => html`<span class="file">${filename}</span> `)}</span>
    </td>
    <td class="message-id">${mail.messageId ?? '(no Message-ID)'}</td>
  </tr>`;
}
