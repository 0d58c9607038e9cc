import { fromPg } from '@duework/sql/adapters';
import type { Queryable } from '@duework/queue-core';
import pg from 'pg';
import type { OpenedClient } from '../opened-client.js';

/** `pg`; `pass` makes of its client what is passed in a transaction. */
export const openPg =
  (pass: (client: pg.PoolClient) => Queryable = fromPg) =>
  (url: string): OpenedClient => {
    const pool = new pg.Pool({ connectionString: url, max: 4 });
    return {
      client: pool,
      async transact(run) {
        const client = await pool.connect();
        try {
          await client.query('BEGIN');
          const result = await run(pass(client), (id) => client.query('INSERT INTO orders (id) VALUES ($1)', [id]));
          await client.query('COMMIT');
          return result;
        } catch (error) {
          await client.query('ROLLBACK');
          throw error;
        } finally {
          client.release();
        }
      },
      close: () => pool.end(),
    };
  };
