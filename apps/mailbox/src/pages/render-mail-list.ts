import { html } from 'hono/html';
import type { MailPage, MailQuery } from '../mail/mail-query.js';
import { renderMailRow } from './render-mail-row.js';
import { renderPage, type Html } from './render-page.js';

export interface MailList {
  readonly query: MailQuery;
  readonly page: MailPage;
  /** The number of mails in the whole mailbox, whatever the query. */
  readonly duplicateCount: number;
  readonly revision: string;
  /** Null: mails are taken. */
  readonly refusedUntil: Date | null;
}

/** Renders the list. The script replaces what carries `data-live` when the revision has changed. */
export function renderMailList(list: MailList): Html {
  const { query, page, revision } = list;
  const header = html`<p class="count" data-live="count">${renderCount(list)}</p>
    <form class="search" action="/" role="search">
      <input
        type="search"
        name="q"
        value="${query.q ?? ''}"
        placeholder="Address, subject, Message-ID"
        aria-label="Search"
      />
    </form>
    <div data-live="tools">
      ${page.total > 0 ? html`<button type="button" class="clear" data-clear>Clear</button>` : ''}
    </div>`;
  const body = html`<p class="offline" data-offline hidden>The mailbox does not answer. The list may be old.</p>
    <div data-live="refusal">${renderRefusal(list.refusedUntil)}</div>
    <table class="mails" data-revision="${revision}">
      <thead>
        <tr>
          <th scope="col">Received</th>
          <th scope="col">To, from</th>
          <th scope="col">Subject, attachments</th>
          <th scope="col">Message-ID</th>
        </tr>
      </thead>
      <tbody data-live="rows">
        ${page.mails.map(renderMailRow)}
      </tbody>
    </table>
    <footer data-live="footer">${renderFooter(list)}</footer>`;
  return renderPage({ title: `Mailbox (${page.total})`, header, body, hasScript: true });
}

function renderCount({ page, query, duplicateCount }: MailList): Html {
  const mails = page.total === 1 ? '1 mail' : `${page.total} mails`;
  const found = query.q === undefined ? mails : `${mails} found`;
  if (duplicateCount === 0) return html`${found}, no duplicates`;
  return html`${found}, <a class="duplicate" href="/?isDuplicate=true">${duplicateCount} duplicates</a>`;
}

function renderFooter({ page, query }: MailList): Html {
  if (page.total === 0 && isNarrowed(query))
    return html`<p class="empty">No mail matches. <a href="/">All mails</a></p>`;
  if (page.total === 0)
    return html`<p class="empty">No mail yet. What is sent to this mailbox appears here by itself.</p>`;
  const last = page.mails.at(-1);
  return html`<nav class="pages">
    ${query.before === undefined ? '' : html`<a href="${writeLink(query, undefined)}">Newest</a>`}
    ${page.mails.length === query.limit && last ? html`<a href="${writeLink(query, last.id)}">Older mails</a>` : ''}
  </nav>`;
}

function isNarrowed({ q, to, subject, messageId, isDuplicate }: MailQuery): boolean {
  return [q, to, subject, messageId, isDuplicate].some((condition) => condition !== undefined);
}

/** The address of the same list, from another mail on. */
function writeLink(query: MailQuery, before: string | undefined): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, before, limit: undefined })) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? '/' : `/?${parameters}`;
}

/** The line above the list while mails are refused, with the button that ends it; nothing while they are taken. */
function renderRefusal(until: Date | null): Html | '' {
  if (until === null) return '';
  const time = until.toLocaleTimeString('en-GB');
  return html`<p class="refusing">
    <span>Every mail is refused until ${time} (451, try again later).</span>
    <button type="button" data-accept>Take mails again</button>
  </p>`;
}
