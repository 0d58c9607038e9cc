import { html } from 'hono/html';
import { renderPage, type Html } from './render-page.js';

/** Renders a page with nothing but a few words, such as "Not found". */
export function renderMessage(title: string, text: string): Html {
  const body = html`<section class="message">
    <h1>${title}</h1>
    <p>${text}</p>
    <p><a href="/">All mails</a></p>
  </section>`;
  return renderPage({ title: `${title} · Mailbox`, body });
}
