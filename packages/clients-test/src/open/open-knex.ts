import { fromKnex } from '@duework/sql/adapters';
import knex from 'knex';
import type { OpenedClient } from '../opened-client.js';

/** Knex, with a hook that renames the columns of results. */
export function openKnex(url: string): OpenedClient {
  const rename = (row: object): object =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name.toUpperCase(), value]));
  const db = knex({
    client: 'pg',
    connection: url,
    pool: { min: 0, max: 4 },
    postProcessResponse: (result: { rows?: object[] }) =>
      result.rows === undefined ? result : { ...result, rows: result.rows.map(rename) },
  });
  return {
    client: fromKnex(db),
    transact: (run) => db.transaction((trx) => run(fromKnex(trx), (id) => trx('orders').insert({ id }))),
    close: () => db.destroy(),
  };
}
