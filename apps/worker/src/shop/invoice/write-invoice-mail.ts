import type { Mail } from '../mail/compose-mail.js';
import { escapeHtml } from '../mail/escape-html.js';
import { renderMailFrame } from '../mail/render-mail-frame.js';
import { renderMailTable } from '../mail/render-mail-table.js';
import type { Invoice } from './invoice.js';
import { seller } from './seller.js';

/** The mail that brings an invoice, as text and as HTML, with its PDF. */
export function writeInvoiceMail(invoice: Invoice, pdf: Buffer): Mail {
  const { number, orderId, currency, date, customer, lines, total } = invoice;
  const subject = `Your invoice ${number}`;
  const opening = `Thank you for your order ${orderId}. We received your payment on ${date}; your invoice ${number} is attached as a PDF.`;
  const foot = `${seller.name} · ${seller.address.join(' · ')}`;
  const text = [
    `Hello ${customer.name},`,
    opening,
    lines.map((line) => `${line.quantity} x ${line.description}: ${line.amount} ${currency}`).join('\n'),
    `Total: ${total} ${currency}`,
    `-- \n${foot}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
  const rows = lines.map((line) => [line.quantity, line.description, line.amount]);
  const body = [
    `<p style="margin:0 0 16px">Hello ${escapeHtml(customer.name)},</p>`,
    `<p style="margin:0 0 16px">${escapeHtml(opening)}</p>`,
    renderMailTable(['Quantity', 'Description', `Amount (${currency})`], rows, ['', 'Total', total]),
  ].join('\n');
  return {
    to: { name: customer.name, address: customer.email },
    subject,
    text: `${text}\n`,
    html: renderMailFrame({ title: subject, body, foot }),
    attachments: [{ filename: `${number}.pdf`, contentType: 'application/pdf', content: pdf }],
  };
}
