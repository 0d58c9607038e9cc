import { seller } from '../invoice/seller.js';
import type { Mail } from '../mail/compose-mail.js';
import { escapeHtml } from '../mail/escape-html.js';
import { renderMailFrame } from '../mail/render-mail-frame.js';

export interface DeskQuestion {
  readonly to: string;
  readonly title: string;
  readonly details: Readonly<Record<string, string>>;
  /** Of the page on which `to` decides. */
  readonly link: string;
}

/** The mail that asks the desk for a decision, as text and as HTML. */
export function writeDeskMail({ to, title, details, link }: DeskQuestion): Mail {
  const lines = Object.entries(details).map(([label, value]) => `${label}: ${value}`);
  const foot = `${seller.name} · Anyone with this link decides as ${to}: do not forward it.`;
  return {
    to: { name: 'Desk', address: to },
    subject: title,
    text: `${lines.join('\n')}\n\nDecide: ${link}\n\n-- \n${foot}\n`,
    html: renderMailFrame({
      title,
      body: `<p style="margin:0 0 16px">${lines.map(escapeHtml).join('<br>')}</p>
<p style="margin:0 0 16px"><a href="${escapeHtml(link)}" style="display:inline-block;padding:10px 20px;background:#2f5bd7;color:#ffffff;text-decoration:none">Decide</a></p>`,
      foot,
    }),
  };
}
