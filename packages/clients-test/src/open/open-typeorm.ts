import 'reflect-metadata';
import { fromTypeorm } from '@duework/sql/adapters';
import { DataSource } from 'typeorm';
import type { OpenedClient } from '../opened-client.js';

/** TypeORM. */
export async function openTypeorm(url: string): Promise<OpenedClient> {
  const dataSource = await new DataSource({ type: 'postgres', url, poolSize: 4 }).initialize();
  return {
    client: fromTypeorm(dataSource),
    transact: (run) =>
      dataSource.transaction((manager) =>
        run(fromTypeorm(manager), (id) => manager.query('INSERT INTO orders (id) VALUES ($1)', [id])),
      ),
    close: () => dataSource.destroy(),
  };
}
