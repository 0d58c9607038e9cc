import { seller } from '../invoice/seller.js';
import type { Mail } from '../mail/compose-mail.js';
import { escapeHtml } from '../mail/escape-html.js';
import { renderMailFrame } from '../mail/render-mail-frame.js';

/** The mail that asks how somebody likes what they bought, as text and as HTML. */
export function writeReviewMail(orderId: number, email: string): Mail {
  const subject = `How do you like your order ${orderId}?`;
  const opening = `You have had your order ${orderId} for a while. Tell us, and others, how you like it.`;
  const foot = `${seller.name} · ${seller.address.join(' · ')}`;
  return {
    to: { name: '', address: email },
    subject,
    text: `${opening}\n\n-- \n${foot}\n`,
    html: renderMailFrame({ title: subject, body: `<p style="margin:0 0 16px">${escapeHtml(opening)}</p>`, foot }),
  };
}
