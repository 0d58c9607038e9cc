import { escapeHtml } from './escape-html.js';

/**
 * The frame of every HTML mail: a title over a card. `body` is HTML, `title` and `foot` are text. Tables and inline styles,
 * because mail programs know little else.
 */
export function renderMailFrame({ title, body, foot }: { title: string; body: string; foot: string }): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;background:#f2f5fb;font:16px/1.5 -apple-system,'Segoe UI',Helvetica,Arial,sans-serif;color:#1d2433">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border:1px solid #d9dee8;border-top:6px solid #2f5bd7">
<tr><td style="padding:28px 28px 20px">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escapeHtml(title)}</h1>
${body}
</td></tr>
<tr><td style="padding:14px 28px;border-top:1px solid #d9dee8;font-size:13px;color:#667085">${escapeHtml(foot)}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}
