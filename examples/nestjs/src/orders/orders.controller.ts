import {
  Body,
  Controller,
  Get,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  UnprocessableEntityException,
} from '@nestjs/common';
import { z } from 'zod';
import { OrdersService } from './orders.service';

const NewOrder = z.object({ email: z.email(), cents: z.int().positive() });

@Controller('orders')
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Post()
  async place(@Body() body: unknown): Promise<{ id: number }> {
    const order = NewOrder.safeParse(body);
    if (!order.success) throw new UnprocessableEntityException(z.prettifyError(order.error));
    const { id } = await this.orders.place(order.data.email, order.data.cents);
    return { id };
  }

  @Get(':id')
  async find(@Param('id', ParseIntPipe) id: number): Promise<{ id: number; receiptSentAt: Date | null }> {
    const order = await this.orders.find(id);
    if (order === null) throw new NotFoundException('There is no such order.');
    return { id: order.id, receiptSentAt: order.receiptSentAt };
  }
}
