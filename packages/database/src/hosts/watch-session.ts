import type pg from 'pg';

/** What the server says of a new session, unasked: pg's own types do not know it. */
interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

const TELLING = ['in_hot_standby', 'default_transaction_read_only'];

/**
 * Listens to what the server says of the session that is about to open. The returned function tells, once it is open,
 * whether it takes writes; it asks the server only where a pooler has kept that to itself.
 */
export function watchSession(client: pg.Client): () => Promise<boolean> {
  const told = new Map<string, string>();
  const { connection } = client;
  connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
    if (TELLING.includes(parameterName)) told.set(parameterName, parameterValue);
  });
  return async () => {
    if (told.size === TELLING.length) return [...told.values()].every((value) => value === 'off');
    const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
    return rows[0]?.transaction_read_only === 'off';
  };
}
