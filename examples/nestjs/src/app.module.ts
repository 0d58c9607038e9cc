import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { dataSourceOptions } from './data-source';
import { OrdersModule } from './orders/orders.module';

@Module({ imports: [TypeOrmModule.forRoot(dataSourceOptions), DiscoveryModule, OrdersModule] })
export class AppModule {}
