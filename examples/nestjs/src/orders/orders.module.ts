import { Module } from '@nestjs/common';
import { OrdersController } from './orders.controller';
import { OrdersService } from './orders.service';
import { Receipts } from './receipts';

@Module({ controllers: [OrdersController], providers: [OrdersService, Receipts] })
export class OrdersModule {}
