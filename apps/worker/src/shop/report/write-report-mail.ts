import { formatAmount } from '../invoice/format-amount.js';
import { seller } from '../invoice/seller.js';
import type { Mail } from '../mail/compose-mail.js';
import { escapeHtml } from '../mail/escape-html.js';
import { renderMailFrame } from '../mail/render-mail-frame.js';
import { renderMailTable } from '../mail/render-mail-table.js';

/** What a user bought in a span of days, both included (`2026-11-16`, UTC). */
export interface BoughtReport {
  readonly user: { readonly name: string; readonly email: string };
  readonly from: string;
  readonly to: string;
  readonly orders: readonly {
    readonly id: number;
    readonly currency: string;
    readonly paidAt: Date;
    readonly items: readonly { readonly description: string; readonly quantity: number; readonly unitCents: number }[];
  }[];
}

/** The mail of a report, as text and as HTML, also when nothing was bought. */
export function writeReportMail({ user, from, to, orders }: BoughtReport): Mail {
  const days = from === to ? `on ${formatDay(from)}` : `from ${formatDay(from)} to ${formatDay(to)}`;
  const subject = `Your orders ${days}`;
  const foot = `${seller.name} · days are counted in UTC`;
  const count = `${orders.length} ${orders.length === 1 ? 'order' : 'orders'}`;
  const opening = orders.length === 0 ? `You bought nothing ${days}.` : `You paid for ${count} ${days}.`;
  const rows = orders.map((order) => [
    `No. ${order.id}`,
    formatDay(order.paidAt.toISOString().slice(0, 10)),
    order.items.map((item) => `${item.quantity.toLocaleString('en')} x ${item.description}`).join('; '),
    `${order.currency} ${formatAmount(sumOf(order.items), order.currency)}`,
  ]);
  const totals = totalsOf(orders);
  const text = [
    `Hello ${user.name},`,
    opening,
    rows.map((row) => row.join('  ')).join('\n'),
    totals && `Total: ${totals}`,
    `-- \n${foot}`,
  ];
  const body = [
    `<p style="margin:0 0 16px">Hello ${escapeHtml(user.name)},</p>`,
    `<p style="margin:0 0 16px">${escapeHtml(opening)}</p>`,
    orders.length === 0
      ? ''
      : renderMailTable(['Order', 'Paid on', 'Items', 'Amount'], rows, ['', '', 'Total', totals]),
  ].join('\n');
  return {
    to: { name: user.name, address: user.email },
    subject,
    text: `${text.filter((part) => part !== '').join('\n\n')}\n`,
    html: renderMailFrame({ title: subject, body, foot }),
  };
}

function formatDay(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
}

function sumOf(items: BoughtReport['orders'][number]['items']): number {
  return items.reduce((sum, item) => sum + item.quantity * item.unitCents, 0);
}

/** One amount per currency, because currencies cannot be added. */
function totalsOf(orders: BoughtReport['orders']): string {
  const centsOf = new Map<string, number>();
  for (const { currency, items } of orders) centsOf.set(currency, (centsOf.get(currency) ?? 0) + sumOf(items));
  return [...centsOf].map(([currency, cents]) => `${currency} ${formatAmount(cents, currency)}`).join(', ');
}
