import type { Customer } from '../orders/customers.js';
import type { PlacedOrders } from '../orders/place-paid-orders.js';
import type { MailServer } from './mail-server.js';
import type { TroubleParts } from './trouble-parts.js';

/** What the buttons of the shop's page work with. */
export interface TroubleTools {
  /** Places orders that are paid at once, in a transaction of its own; of the shop's customers unless given. */
  readonly order: (count: number, customers?: readonly Customer[]) => Promise<PlacedOrders>;
  /** Places orders that are confirmed by mail: so many of each customer, in the order that is given. */
  readonly confirm: (orders: readonly { readonly customer: Customer; readonly count: number }[]) => Promise<void>;
  readonly mailServer: MailServer;
  readonly killWorker: TroubleParts['killWorker'];
  /** Resolves once one of these jobs runs, or after some seconds. */
  readonly untilOneRuns: (jobIds: readonly string[]) => Promise<void>;
}
