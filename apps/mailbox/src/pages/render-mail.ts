import { html } from 'hono/html';
import type { MailSummary, ParsedMail } from '../mail/mail.js';
import { formatTime } from './format-time.js';
import { renderPage, type Html } from './render-page.js';
import { writeFrameDocument } from './write-frame-document.js';

/** Renders one mail: who and what, its content, its attachments, and all headers at the end. */
export function renderMail(mail: ParsedMail, summary: MailSummary): Html {
  const subject = summary.subject || '(no subject)';
  const header = html`<a class="back" href="/">All mails</a>`;
  const body = html`<article class="mail">
    <h1>${subject} ${summary.isDuplicate ? html`<strong class="duplicate">duplicate</strong>` : ''}</h1>
    ${renderFacts(mail, summary)} ${renderAttachmentLinks(summary)} ${renderContent(mail)} ${renderPdfs(summary)}
    <details class="headers">
      <summary>All headers</summary>
      <dl>
        ${mail.headers.map(
          ({ name, value }) =>
            html`<dt>${name}</dt>
              <dd>${value}</dd>`,
        )}
      </dl>
    </details>
  </article>`;
  return renderPage({ title: `${subject} · Mailbox`, header, body });
}

function renderFacts({ headers }: ParsedMail, summary: MailSummary): Html {
  const others = `/?${new URLSearchParams({ messageId: summary.messageId ?? '' })}`;
  return html`<dl class="facts">
    <dt>From</dt>
    <dd>${summary.from || '(no sender)'}</dd>
    <dt>To</dt>
    <dd>${summary.to.join(', ')}</dd>
    <dt>Received</dt>
    <dd>
      <time datetime="${summary.receivedAt}" title="${summary.receivedAt}">${formatTime(summary.receivedAt)}</time>
    </dd>
    <dt>Message-ID</dt>
    <dd class="message-id">
      ${summary.messageId ?? '(none)'}
      ${summary.isDuplicate ? html`<a href="${others}">Show all with this one</a>` : ''}
    </dd>
    <dt>Size</dt>
    <dd>
      ${formatSize(summary.size)}, ${headers.length} headers, <a href="/mails/${summary.id}/raw">download .eml</a>
    </dd>
  </dl>`;
}

function renderAttachmentLinks({ id, attachments }: MailSummary): Html {
  if (attachments.length === 0) return html``;
  return html`<ul class="attachments" aria-label="Attachments">
    ${attachments.map(
      ({ filename, size }, index) =>
        html`<li>
          <a class="file" href="/mails/${id}/attachments/${index}">${filename} <small>${formatSize(size)}</small></a>
        </li>`,
    )}
  </ul>`;
}

/** HTML in a frame without scripts, forms or an origin; a link opens in a new tab. */
function renderContent(mail: ParsedMail): Html {
  if (mail.html === null) return html`<pre class="text">${mail.text ?? '(empty)'}</pre>`;
  return html`<iframe
      class="html"
      title="The mail as HTML"
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      referrerpolicy="no-referrer"
      srcdoc="${writeFrameDocument(mail)}"
    ></iframe>
    ${
      mail.text === null
        ? ''
        : html`<details>
            <summary>As text</summary>
            <pre class="text">${mail.text}</pre>
          </details>`
    }`;
}

function renderPdfs({ id, attachments }: MailSummary): Html {
  return html`${attachments.map(({ filename, contentType }, index) =>
    contentType === 'application/pdf'
      ? html`<object
          class="pdf"
          type="application/pdf"
          data="/mails/${id}/attachments/${index}#navpanes=0&amp;view=FitH"
          aria-label="${filename}"
        >
          <p>
            This browser does not show PDFs in a page. <a href="/mails/${id}/attachments/${index}">Open ${filename}</a>
          </p>
        </object>`
      : '',
  )}`;
}

/** Writes bytes for people: `812 B`, `14.2 kB`, `3.1 MB` (powers of 1000). */
function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_950) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
