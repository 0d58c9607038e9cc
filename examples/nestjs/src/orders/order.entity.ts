import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity('orders')
export class Order {
  @PrimaryGeneratedColumn()
  id: number;

  @Column('text')
  email: string;

  @Column('int')
  cents: number;

  @Column('timestamptz', { name: 'receipt_sent_at', nullable: true })
  receiptSentAt: Date | null;
}
