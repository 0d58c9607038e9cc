import { fromPostgresJs } from '@duework/sql/adapters';
import postgres from 'postgres';
import type { OpenedClient } from '../opened-client.js';

/** postgres.js. */
export const openPostgresJs =
  (options: postgres.Options<Record<string, never>> = {}) =>
  (url: string): OpenedClient => {
    const sql = postgres(url, { max: 4, onnotice: () => {}, ...options });
    return {
      client: fromPostgresJs(sql),
      transact: (run) =>
        sql.begin((tx) => run(fromPostgresJs(tx), (id) => tx`INSERT INTO orders (id) VALUES (${id})`)) as never,
      close: () => sql.end(),
    };
  };
