import { seller } from '../invoice/seller.js';
import type { Mail } from '../mail/compose-mail.js';
import { escapeHtml } from '../mail/escape-html.js';
import { renderMailFrame } from '../mail/render-mail-frame.js';

/** The mail that says that an order has come in, as text and as HTML. */
export function writeConfirmationMail(orderId: number, { name, email }: { name: string; email: string }): Mail {
  const subject = `We have your order ${orderId}`;
  const opening = `Hello ${name}, your order ${orderId} has come in. Thank you.`;
  const foot = `${seller.name} · ${seller.address.join(' · ')}`;
  return {
    to: { name, address: email },
    subject,
    text: `${opening}\n\n-- \n${foot}\n`,
    html: renderMailFrame({ title: subject, body: `<p style="margin:0 0 16px">${escapeHtml(opening)}</p>`, foot }),
  };
}
