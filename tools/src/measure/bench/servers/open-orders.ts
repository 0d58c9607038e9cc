import { queryOnce } from '../systems/query-once.js';
import { makeDatabase, type Place } from './make-place.js';
import type { BenchPostgres } from './start-bench-postgres.js';

const CREATE = `
  CREATE TABLE bench_orders (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    customer text NOT NULL,
    cents integer NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  )`;

/** Makes the user's own table in the database of a place, or in one of its own where the place is a Redis. */
export async function openOrders(postgres: BenchPostgres, place: Place): Promise<Place> {
  const isSql = place.serverPid === undefined;
  const orders: Place = isSql ? { url: place.url, drop: async () => {} } : await makeDatabase(postgres);
  await queryOnce(orders.url, CREATE);
  return orders;
}
