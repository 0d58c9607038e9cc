import { html } from 'hono/html';
import type { Html } from './render-page.js';

/** The line above the list while mails are refused, with the button that ends it; nothing while they are taken. */
export function renderRefusal(until: Date | null): Html | '' {
  if (until === null) return '';
  const time = until.toLocaleTimeString('en-GB');
  return html`<p class="refusing">
    <span>Every mail is refused until ${time} (451, try again later).</span>
    <button type="button" data-accept>Take mails again</button>
  </p>`;
}
