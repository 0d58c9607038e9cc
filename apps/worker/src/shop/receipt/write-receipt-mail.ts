import type { PayloadOf } from '@duework/contracts';
import type { sendReceipt } from '@duework/shop';
import { formatAmount } from '../invoice/format-amount.js';
import { seller } from '../invoice/seller.js';
import type { Mail } from '../mail/compose-mail.js';
import { escapeHtml } from '../mail/escape-html.js';
import { renderMailFrame } from '../mail/render-mail-frame.js';

/** The mail that says what somebody paid, as text and as HTML. */
export function writeReceiptMail({ receiptId, email, amountCents, currency }: PayloadOf<typeof sendReceipt>): Mail {
  const subject = `Your receipt ${receiptId}`;
  const opening = `We received your payment of ${currency} ${formatAmount(amountCents, currency)}. Thank you.`;
  const foot = `${seller.name} · ${seller.address.join(' · ')}`;
  return {
    to: { name: '', address: email },
    subject,
    text: `${opening}\n\n-- \n${foot}\n`,
    html: renderMailFrame({ title: subject, body: `<p style="margin:0 0 16px">${escapeHtml(opening)}</p>`, foot }),
  };
}
