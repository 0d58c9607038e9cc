import type { DataSourceOptions } from 'typeorm';
import { env } from './env';
import { CreateOrders1 } from './orders/create-orders';
import { Order } from './orders/order.entity';

export const dataSourceOptions: DataSourceOptions = {
  type: 'postgres',
  url: env.databaseUrl,
  entities: [Order],
  migrations: [CreateOrders1],
};
