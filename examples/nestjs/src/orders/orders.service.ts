import { Injectable } from '@nestjs/common';
import { enqueue } from 'duework';
import { fromTypeorm } from 'duework/adapters';
import { DataSource } from 'typeorm';
import { chargeCard } from './charge-card';
import { Order } from './order.entity';
import { sendReceipt } from './orders.contracts';

@Injectable()
export class OrdersService {
  constructor(private readonly dataSource: DataSource) {}

  /** The order and its receipt's job are written in one transaction: both are there, or neither is. */
  place(email: string, cents: number): Promise<Order> {
    return this.dataSource.transaction(async (manager) => {
      const order = await manager.save(Order, { email, cents });
      await enqueue(fromTypeorm(manager), sendReceipt, { orderId: order.id, email });
      chargeCard(cents);
      return order;
    });
  }

  find(id: number): Promise<Order | null> {
    return this.dataSource.getRepository(Order).findOneBy({ id });
  }

  async markReceiptSent(id: number): Promise<void> {
    await this.dataSource.getRepository(Order).update(id, { receiptSentAt: new Date() });
  }
}
