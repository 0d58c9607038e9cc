import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source';

async function main(): Promise<void> {
  const dataSource = await new DataSource(dataSourceOptions).initialize();
  await dataSource.runMigrations();
  await dataSource.destroy();
}

void main();
