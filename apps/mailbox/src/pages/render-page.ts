import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export interface Page {
  readonly title: string;
  /** Beside the name at the top. */
  readonly header?: Html;
  readonly body: Html;
  readonly hasScript?: boolean;
}

const SCRIPT = raw('<script src="/assets/mailbox.js" defer></script>');

/** Renders the frame that all pages share. Whatever goes through `html` is escaped. */
export function renderPage({ title, header, body, hasScript = false }: Page): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="/assets/mailbox.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/mailbox.css" />
        ${hasScript ? SCRIPT : ''}
      </head>
      <body>
        <header class="top">
          <a class="brand" href="/"><img src="/assets/mailbox.svg" alt="" width="24" height="24" />Mailbox</a>
          ${header ?? ''}
        </header>
        <main>${body}</main>
      </body>
    </html>`;
}
