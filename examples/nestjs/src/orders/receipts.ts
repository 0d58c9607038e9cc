import { Injectable } from '@nestjs/common';
import type { JobContext } from 'duework';
import { Handles } from '../jobs/handles.decorator';
import { sendReceipt } from './orders.contracts';
import { OrdersService } from './orders.service';

@Injectable()
export class Receipts {
  constructor(private readonly orders: OrdersService) {}

  @Handles(sendReceipt)
  async send({ payload, log }: JobContext<typeof sendReceipt>): Promise<void> {
    // your mail service comes here
    await this.orders.markReceiptSent(payload.orderId);
    log.info({ orderId: payload.orderId }, 'sent the receipt');
  }
}
