import type { OrderStream } from '../orders/order-stream.js';

/** What the shop's page makes trouble with; only a start for development has it. */
export interface TroubleParts {
  /** Of the mailbox's own page. */
  readonly mailboxUrl: string;
  /**
   * Has the worker killed, and another one started so many seconds later; null: nobody who started this program would
   * do it.
   */
  readonly killWorker: ((restartAfterSeconds: number) => Promise<void>) | null;
  /** Orders that come in by themselves. */
  readonly orders: Pick<OrderStream, 'isOn' | 'start' | 'stop'>;
}
