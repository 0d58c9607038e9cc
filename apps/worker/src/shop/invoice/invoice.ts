import { formatAmount } from './format-amount.js';

/** An order as it is read for its invoice. */
export interface PaidOrder {
  readonly id: number;
  readonly currency: string;
  readonly paidAt: Date;
  readonly user: { readonly name: string; readonly email: string };
  readonly items: readonly { readonly description: string; readonly quantity: number; readonly unitCents: number }[];
}

/** The content of an invoice; every amount is text. */
export interface Invoice {
  /** `INV-000812` */
  readonly number: string;
  readonly orderId: number;
  readonly currency: string;
  /** UTC; the same at every attempt. */
  readonly paidAt: Date;
  /** `20 November 2026` */
  readonly date: string;
  readonly customer: { readonly name: string; readonly email: string };
  readonly lines: readonly {
    readonly description: string;
    readonly quantity: string;
    readonly unit: string;
    readonly amount: string;
  }[];
  readonly total: string;
}

/** The invoice of an order. It depends on the order alone, so that two attempts make the same one. */
export function toInvoice({ id, currency, paidAt, user, items }: PaidOrder): Invoice {
  const totalCents = items.reduce((sum, item) => sum + item.quantity * item.unitCents, 0);
  return {
    number: `INV-${String(id).padStart(6, '0')}`,
    orderId: id,
    currency,
    paidAt,
    date: paidAt.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }),
    customer: user,
    lines: items.map(({ description, quantity, unitCents }) => ({
      description,
      quantity: quantity.toLocaleString('en'),
      unit: formatAmount(unitCents, currency),
      amount: formatAmount(quantity * unitCents, currency),
    })),
    total: formatAmount(totalCents, currency),
  };
}
