import { createHash } from 'node:crypto';
import { escapeHtml } from './escape-html.js';

const STYLE =
  'body{font:1rem/1.6 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem;color-scheme:light dark}code{font-size:.95em}dt{font-weight:600}dd{margin:0 0 1rem;overflow-wrap:anywhere}fieldset{border:0;margin:0;padding:0}legend{font-weight:600}form label{display:block;padding:.6rem 0}textarea{display:block;width:100%;box-sizing:border-box;font:inherit}button{font:inherit;padding:.7rem 1.6rem}';

/** Nothing is loaded or run, and the one style is known by its hash. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The same of a page with a form, which is sent to where the page is. */
export const FORM_POLICY = PAGE_POLICY.replace("form-action 'none'", "form-action 'self'");

/** A small page; `content` is HTML already. It is sent with `PAGE_POLICY`, or `FORM_POLICY`. */
export function renderPage(title: string, content: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><h1>${escapeHtml(title)}</h1>${content}</body></html>`;
}
